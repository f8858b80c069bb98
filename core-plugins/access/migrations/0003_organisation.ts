import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

// References carry the tenant, so that no row can name another tenant's node or role.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('access_roles', (table) => {
    table.unique(['tenant_id', 'id'])
    table.jsonb('data_scope_orgs')
    table.jsonb('data_scopes').notNullable().defaultTo('{}')
  })

  await knex.schema.createTable('access_orgs', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable()
    table.integer('parent_id')
    table.text('code')
    table.text('name').notNullable()
    table.text('path').notNullable()
    table.integer('depth').notNullable()
    table.integer('sort').notNullable().defaultTo(0)
    table.integer('leader_id')
    table.text('status').notNullable().defaultTo('active')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['tenant_id', 'id'])
    table.unique(['tenant_id', 'code'])
    table.foreign(['tenant_id', 'parent_id']).references(['tenant_id', 'id']).inTable('access_orgs')
    table.index(['tenant_id', 'parent_id', 'sort', 'id'])
  })
  await knex.raw('create index access_orgs_path on access_orgs (tenant_id, path text_pattern_ops)')
  await enableTenantRows(knex, 'access_orgs')

  await knex.schema.createTable('access_user_orgs', (table) => {
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.integer('org_id').notNullable()
    table.boolean('is_primary').notNullable().defaultTo(false)
    table.primary(['tenant_id', 'user_id', 'org_id'])
    table.foreign(['tenant_id', 'org_id']).references(['tenant_id', 'id']).inTable('access_orgs')
    table.index(['org_id', 'user_id'])
  })
  await knex.raw(
    'create unique index access_user_orgs_primary on access_user_orgs (tenant_id, user_id) where is_primary',
  )
  await enableTenantRows(knex, 'access_user_orgs')

  await knex.schema.createTable('access_org_roles', (table) => {
    table.integer('tenant_id').notNullable()
    table.integer('org_id').notNullable()
    table.integer('role_id').notNullable()
    table.boolean('inherit').notNullable().defaultTo(true)
    table.primary(['tenant_id', 'org_id', 'role_id'])
    table.foreign(['tenant_id', 'org_id']).references(['tenant_id', 'id']).inTable('access_orgs').onDelete('CASCADE')
    table.foreign(['tenant_id', 'role_id']).references(['tenant_id', 'id']).inTable('access_roles')
    table.index(['role_id'])
  })
  await enableTenantRows(knex, 'access_org_roles')
}
