import type { Knex } from 'knex'
import { enableTenantRows } from '../tenant-rows.ts'

/** Answers kept for requests with an Idempotency-Key. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('idempotency_keys', (table) => {
    table.bigInteger('tenant_id').notNullable()
    table.bigInteger('user_id').notNullable()
    table.text('route').notNullable()
    table.text('key').notNullable()
    table.text('fingerprint').notNullable()
    // Sealed; absent while the first request runs.
    table.text('answer')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now()).index()
    table.primary(['tenant_id', 'user_id', 'route', 'key'])
  })
  await enableTenantRows(knex, 'idempotency_keys')
}
