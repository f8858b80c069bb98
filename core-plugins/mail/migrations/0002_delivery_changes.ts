import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Who changed how messages reach people, and how they went before. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('mail_delivery_changes', (table) => {
    table.uuid('id').primary()
    // Whose messages; 0 is everybody's.
    table.integer('tenant_id').notNullable()
    table.text('part').notNullable()
    table.integer('by_tenant_id')
    table.integer('by_user_id')
    // The settings before, sealed.
    table.text('former')
    table.timestamp('changed_at').notNullable().defaultTo(db.fn.now())
    table.boolean('is_told').notNullable().defaultTo(false)
    // The host that tells has it to itself until then.
    table.timestamp('leased_until')
  })
  await db.raw('create index mail_delivery_changes_recent on mail_delivery_changes (tenant_id, changed_at)')
  await enableTenantRows(db, 'mail_delivery_changes')
}
