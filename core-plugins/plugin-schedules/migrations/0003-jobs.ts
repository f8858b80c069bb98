import type { Knex } from 'knex'

const everybody = { tenant: 'all' }

/** Schedules are run by the queue of jobs, one job for each that is due; what their errors are told from is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_schedules', (table) => {
    // The job that runs it now.
    table.bigInteger('job_id').index()
  })
  await knex.schema.alterTable('plugin_schedule_runs', (table) => {
    table.jsonb('error_said')
  })
  await queue(knex, { runAt: 'due_at', dedupe: `plugin_id || '/' || schedule`, where: 'due_at is not null' })
  // What an older host runs is repeated when its lease is over, as it was when the host died.
  await queue(knex, { runAt: 'coalesce(leased_until, now())', dedupe: 'null', where: 'run_id is not null' })
  await knex
    .raw(
      `update plugin_schedules row set job_id = jobs.id from jobs
        where row.run_id is not null and jobs.kind = 'plugin_schedules.run' and jobs.dedupe is null
          and jobs.tenant_id = row.tenant_id and jobs.payload = ${payload}`,
    )
    .queryContext(everybody)
  await knex.raw(`drop index if exists plugin_schedules_leased`)
  await knex.raw(`drop index if exists plugin_schedules_due`)
  await knex.raw('alter table plugin_schedules drop column leased_until, drop column fencing')
}

const payload = `jsonb_build_object('pluginId', plugin_id, 'schedule', schedule)`

async function queue(knex: Knex, job: { runAt: string; dedupe: string; where: string }): Promise<void> {
  await knex
    .raw(
      `insert into jobs (kind, tenant_id, payload, dedupe, group_name, run_at, state)
       select 'plugin_schedules.run', tenant_id, ${payload}, ${job.dedupe}, plugin_id::text, ${job.runAt}, 'delayed'
         from plugin_schedules where ${job.where}
           on conflict do nothing`,
    )
    .queryContext(everybody)
}
