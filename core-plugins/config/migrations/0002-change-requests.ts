import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Changes that tenants ask for while the platform approves them, and what must happen after values changed. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('system_config_change_requests', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable()
    table.text('group_code').notNullable()
    // Key → value as it would be stored, secrets sealed; null stands for the default.
    table.jsonb('before').notNullable()
    table.jsonb('after').notNullable()
    table.text('state').notNullable().checkIn(['pending', 'approved', 'rejected', 'cancelled', 'applied', 'superseded'])
    table.text('reason').notNullable().defaultTo('')
    table.integer('requested_by')
    table.timestamp('requested_at').notNullable().defaultTo(db.fn.now())
    table.integer('decided_by')
    table.timestamp('decided_at')
    table.index(['tenant_id', 'state'])
  })
  await enableTenantRows(db, 'system_config_change_requests')
  await db.schema.createTable('system_config_outbox', (table) => {
    table.bigIncrements('id')
    table.integer('tenant_id').notNullable()
    table.text('effect').notNullable()
    table.text('group_code').notNullable()
    table.text('scope').notNullable().checkIn(['ADMIN_ONLY', 'ALL_TENANTS'])
    table.jsonb('keys').notNullable()
    table.integer('request_id')
    table.integer('attempts').notNullable().defaultTo(0)
    table.timestamp('due_at').notNullable().index()
    table.text('last_error')
  })
  await enableTenantRows(db, 'system_config_outbox')
}
