import type { Knex } from 'knex'

/** What a notification is of, whether the list shows it, and what becomes of it by e-mail. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('user_notifications', (table) => {
    table.text('kind')
    table.boolean('shown').notNullable().defaultTo(true)
    table.text('mail').notNullable().defaultTo('none')
  })
  await db.raw(`update user_notifications set kind = source`).queryContext({ tenant: 'all' })
  await db.schema.alterTable('user_notifications', (table) => {
    table.dropNullable('kind')
  })
  await db.raw(
    `create index user_notifications_digest on user_notifications (tenant_id, user_id, id) where mail = 'digest'`,
  )
}
