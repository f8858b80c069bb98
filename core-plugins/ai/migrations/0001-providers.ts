import type { Knex } from 'knex'
import { enableTenantRows, noteChanges } from '#kernel'

/** Vendors' end points, of the platform (tenant 0) and of tenants, and their secrets. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_providers', (table) => {
    table.text('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('code').notNullable()
    table.text('name').notNullable()
    table.text('type').notNullable()
    table.jsonb('plugin')
    table.jsonb('settings').notNullable().defaultTo('{}')
    table.text('base_url')
    table.text('region')
    table.jsonb('headers').notNullable().defaultTo('{}')
    table.jsonb('timeouts').notNullable().defaultTo('{}')
    table.jsonb('limits').notNullable().defaultTo('{}')
    table.text('status').notNullable().defaultTo('enabled')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('deleted_at')
  })
  await db.raw(`create unique index ai_providers_code on ai_providers (tenant_id, code) where deleted_at is null`)
  await enableTenantRows(db, 'ai_providers')
  await db.schema.createTable('ai_provider_secrets', (table) => {
    table.text('provider_id').notNullable().references('ai_providers.id').onDelete('cascade')
    table.text('field').notNullable()
    table.integer('tenant_id').notNullable()
    // Bound to table, provider, field and tenant.
    table.text('sealed').notNullable()
    table.text('hint').notNullable()
    table.timestamp('rotated_at').notNullable().defaultTo(db.fn.now())
    table.primary(['provider_id', 'field'])
  })
  await enableTenantRows(db, 'ai_provider_secrets')
  // Every host keeps all of it.
  const kind = 'ai.catalogue'
  await noteChanges(db, {
    table: 'ai_providers',
    kind,
    subject: 'changed.id',
    columns: ['id', 'version', 'deleted_at'],
  })
  await noteChanges(db, {
    ...{ table: 'ai_provider_secrets', kind, subject: 'changed.provider_id' },
    columns: ['provider_id', 'field', 'sealed'],
  })
}
