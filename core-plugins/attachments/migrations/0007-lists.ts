import type { Knex } from 'knex'

/** Lists of all tenants are read in order and by what few files have, and those of one by their size and kind. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index attachments_created on attachments (created_at desc, id);
    create index attachments_owner on attachments (owner_id, created_at);
    create index attachments_extension on attachments (extension, created_at);
    -- Compared byte by byte, so that what begins with "image/" is one range of it.
    create index attachments_type on attachments (mime_type collate "C");
    create index attachments_size on attachments (size);
    create index attachments_usage on attachments (usage, created_at) where usage <> 'general';
    create index attachments_shared on attachments (visibility, created_at) where visibility <> 'private';
    create index attachments_unready on attachments (status, created_at) where status <> 'ready'`)
}
