import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Groups and items as enabled plugins declared them last, and the values that were set. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('system_config_groups', (table) => {
    table.increments('id')
    table.text('code').notNullable().unique()
    table.text('parent_code')
    table.text('scope').notNullable().checkIn(['ADMIN_ONLY', 'ALL_TENANTS'])
    table.text('owner').notNullable()
    table.jsonb('name').notNullable()
    table.integer('sort').notNullable()
  })
  await db.schema.createTable('system_configs', (table) => {
    table.increments('id')
    table.integer('group_id').notNullable().references('system_config_groups.id').onDelete('cascade').index()
    table.text('scope').notNullable().checkIn(['ADMIN_ONLY', 'ALL_TENANTS'])
    table.text('key').notNullable()
    table.text('type').notNullable()
    // Default, rules and options with everything else the item's declaration says.
    table.jsonb('declaration').notNullable()
    table.unique(['scope', 'key'])
  })
  await db.schema.createTable('system_config_values', (table) => {
    table.bigIncrements('id')
    table.integer('config_id').notNullable().references('system_configs.id').onDelete('cascade')
    table.integer('tenant_id').notNullable()
    table.text('value').notNullable()
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.integer('updated_by')
    table.unique(['config_id', 'tenant_id'])
    table.index(['tenant_id'])
  })
  await enableTenantRows(db, 'system_config_values')
}
