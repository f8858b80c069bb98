import type { Knex } from 'knex'

/** Bytes are deleted by the queue; those that wait to be deleted go on waiting there. */
export async function up(db: Knex): Promise<void> {
  await db
    .raw(
      `insert into jobs (kind, tenant_id, payload, dedupe, run_at, state)
       select 'storage.discard', 0, jsonb_build_object('places',
                jsonb_build_array(jsonb_build_object('storageRef', storage_ref, 'location', location))),
              location, due_at, case when due_at > now() then 'delayed' else 'waiting' end
         from storage_discards`,
    )
    .queryContext({ tenant: 'all' })
  await db.schema.dropTable('storage_discards')
}
