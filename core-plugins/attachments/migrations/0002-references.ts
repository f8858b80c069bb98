import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Who needs an attachment, which plugin made it, and until when it is kept where nobody said that it shall be. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('attachment_references', (table) => {
    table.integer('tenant_id').notNullable()
    table.uuid('attachment_id').notNullable().index()
    // `<kind>:<which>`, such as `avatar:7`.
    table.text('holder').notNullable()
    table.primary(['tenant_id', 'holder', 'attachment_id'])
  })
  await enableTenantRows(db, 'attachment_references')
  await db.schema.alterTable('attachments', (table) => {
    table.text('plugin')
    table.timestamp('expires_at')
  })
  await db.raw('create index attachments_plugin on attachments (tenant_id, plugin) where plugin is not null')
  await db.raw('create index attachments_expiry on attachments (expires_at) where expires_at is not null')
}
