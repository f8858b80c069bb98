import type { Knex } from 'knex'

/** What follows from changes is done by the queue; what was left to do is carried over. */
export async function up(db: Knex): Promise<void> {
  const everybody = { tenant: 'all' }
  // What must still happen before a request counts as applied.
  await db.schema.alterTable('system_config_change_requests', (table) => table.jsonb('left_effects'))
  await db
    .raw(
      `update system_config_change_requests as request set left_effects = left_over.effects
         from (select tenant_id, request_id, jsonb_agg(effect) as effects from system_config_outbox
                where request_id is not null group by tenant_id, request_id) as left_over
        where left_over.tenant_id = request.tenant_id and left_over.request_id = request.id`,
    )
    .queryContext(everybody)
  await db
    .raw(
      `insert into jobs (kind, tenant_id, payload, dedupe, run_at, state)
       select 'config.follow', tenant_id, jsonb_build_object('effect', effect, 'group', group_code, 'scope', scope,
                'keys', keys, 'requestId', request_id, 'name', 'carried ' || id),
              'carried ' || id, due_at, case when due_at > now() then 'delayed' else 'waiting' end
         from system_config_outbox order by id`,
    )
    .queryContext(everybody)
  await db.schema.dropTable('system_config_outbox')
}
