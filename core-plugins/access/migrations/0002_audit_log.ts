import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('access_audit_log', (table) => {
    table.bigIncrements('id')
    table.integer('tenant_id').notNullable()
    table.text('actor_scope')
    table.integer('actor_tenant_id')
    table.integer('actor_id')
    table.text('action').notNullable()
    table.text('target').notNullable()
    table.jsonb('before')
    table.jsonb('after')
    table.text('trace_id')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.index(['tenant_id', 'id'])
  })
  await enableTenantRows(knex, 'access_audit_log')
}
