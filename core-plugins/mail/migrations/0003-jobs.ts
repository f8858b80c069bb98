import type { Knex } from 'knex'

const everybody = { tenant: 'all' }

/** Messages wait in the queue of jobs, and so does the telling of changes; those that wait, or were given up, are carried over. */
export async function up(db: Knex): Promise<void> {
  await db
    .raw(
      `insert into jobs (kind, tenant_id, payload, run_at, state, attempts, error, created_at, finished_at, forget_at)
       select 'mail.deliver', tenant_id, jsonb_build_object('id', id, 'message', payload), not_before,
              case when state = 'failed' then 'dead' when not_before > now() then 'delayed' else 'waiting' end,
              attempts, error, created_at, failed_at,
              case when state = 'failed' then coalesce(failed_at, now()) + interval '1 day' end
         from outgoing_messages order by not_before`,
    )
    .queryContext(everybody)
  await db.schema.dropTable('outgoing_messages')
  await db
    .raw(
      `insert into jobs (kind, tenant_id, payload, state)
       select 'mail.tell_change', tenant_id, jsonb_build_object('id', id, 'part', part, 'tenantId', tenant_id, 'by',
                case when by_tenant_id is not null and by_user_id is not null
                     then jsonb_build_object('tenantId', by_tenant_id, 'userId', by_user_id) end), 'waiting'
         from mail_delivery_changes where not is_told order by changed_at`,
    )
    .queryContext(everybody)
  await db.schema.alterTable('mail_delivery_changes', (table) => table.dropColumns('is_told', 'leased_until'))
}
