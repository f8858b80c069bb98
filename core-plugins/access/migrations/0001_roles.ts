import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

// Tenant 0 is the platform. Its roles are written here, where the row fence does not stand yet; a tenant's come with the tenant.
const platformRoles = [
  ['super_admin', 'Super administrator'],
  ['platform_admin', 'Platform administrator'],
  ['platform_operator', 'Platform operator'],
  ['platform_auditor', 'Platform auditor'],
] as const

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('access_roles', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable()
    table.text('code').notNullable()
    table.text('name').notNullable()
    table.boolean('system').notNullable().defaultTo(false)
    table.text('status').notNullable().defaultTo('active')
    table.specificType('permissions', 'text[]').notNullable().defaultTo('{}')
    table.text('data_scope').notNullable().defaultTo('SELF')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['tenant_id', 'code'])
  })
  await knex('access_roles').insert(
    platformRoles.map(([code, name]) => ({ tenant_id: 0, code, name, system: true, data_scope: 'ALL' })),
  )
  await enableTenantRows(knex, 'access_roles')

  await knex.schema.createTable('access_user_roles', (table) => {
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.integer('role_id').notNullable().references('access_roles.id').onDelete('CASCADE').index()
    table.primary(['tenant_id', 'user_id', 'role_id'])
  })
  await enableTenantRows(knex, 'access_user_roles')
}
