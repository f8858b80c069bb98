import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What is known of attachments, the bytes they stand on, and uploads that have not ended. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('attachment_blobs', (table) => {
    // Also the key of the object that has the bytes.
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.integer('owner_id').notNullable()
    // While bytes come: the most that they may be, which counts as used.
    table.bigInteger('size').notNullable()
    table.text('hash')
    table.text('driver')
    table.text('storage_ref')
    table.text('state').notNullable()
    table.integer('refcount').notNullable().defaultTo(0)
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
  })
  // One place keeps the same bytes of a tenant once.
  await db.raw(
    `create unique index attachment_blobs_content on attachment_blobs (tenant_id, storage_ref, hash) where state = 'ready'`,
  )
  await db.raw(`create index attachment_blobs_open on attachment_blobs (created_at) where state <> 'ready'`)
  await db.raw(`create index attachment_blobs_room on attachment_blobs (tenant_id) include (size)`)
  await db.schema.createTable('attachments', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.integer('owner_id').notNullable()
    table.integer('org_id')
    table.uuid('blob_id').notNullable().index()
    table.text('filename').notNullable()
    table.text('extension').notNullable()
    table.text('mime_type').notNullable()
    table.bigInteger('size').notNullable()
    table.text('hash').notNullable()
    table.text('visibility').notNullable()
    table.text('usage').notNullable()
    table.text('driver').notNullable()
    table.text('storage_ref').notNullable()
    table.text('status').notNullable()
    table.integer('width')
    table.integer('height')
    table.double('duration')
    table.bigInteger('download_count').notNullable().defaultTo(0)
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.index(['tenant_id', 'created_at'])
    table.index(['tenant_id', 'hash'])
  })
  await db.raw(`create index attachments_own on attachments (tenant_id, owner_id, created_at) include (size)`)
  await createUploads(db)
  for (const table of ['attachment_blobs', 'attachments', 'attachment_uploads']) await enableTenantRows(db, table)
}

async function createUploads(db: Knex): Promise<void> {
  await db.schema.createTable('attachment_uploads', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.integer('owner_id').notNullable()
    table.text('filename').notNullable()
    table.bigInteger('size').notNullable()
    table.text('hash').notNullable()
    table.text('mime_type')
    table.text('visibility').notNullable()
    table.text('usage').notNullable()
    table.text('mode').notNullable()
    table.bigInteger('chunk_size').notNullable()
    table.integer('chunk_count').notNullable()
    // Where the sender puts the bytes itself.
    table.text('storage_ref')
    table.text('location')
    table.timestamp('link_expires_at')
    // What it came to.
    table.uuid('attachment_id')
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('expires_at').notNullable().index()
    table.index(['tenant_id', 'owner_id', 'hash'])
  })
}
