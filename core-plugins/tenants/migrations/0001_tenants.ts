import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('tenants', (table) => {
    table.increments('id')
    table.text('code').notNullable()
    table.text('name').notNullable()
    table.text('status').notNullable().defaultTo('active')
    table.timestamp('expires_at')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
  })
  // A deleted tenant's code is free again; its rows stay under its id.
  await knex.raw(`create unique index tenants_code_unique on tenants (code) where status <> 'deleted'`)

  await knex.schema.createTable('tenant_domains', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable().references('tenants.id')
    table.text('domain').notNullable()
    table.boolean('verified').notNullable().defaultTo(false)
    table.boolean('primary').notNullable().defaultTo(false)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['tenant_id', 'domain'])
  })
  // Several tenants may claim a domain; one can have proved it.
  await knex.raw('create unique index tenant_domains_verified_unique on tenant_domains (domain) where verified')
  await enableTenantRows(knex, 'tenant_domains')
}
