import type { Knex } from 'knex'
import { allowTime } from '#kernel'
import { fillLedger } from '../../bench/ai-usage-rows.ts'

/** How much there is of what grows. */
export const large = { tenants: 10_000, users: 100_000, plugins: 500, audit: 1_000_000, usage: 1_000_000 } as const

/** A platform of this size beside what the first run left; `tenant` has a good share of it, and the plugins are cloned from the first one. */
export async function growLarge(knex: Knex, tenant: number): Promise<void> {
  const fill = async (sql: string): Promise<void> => {
    await knex.transaction(async (trx) => {
      await allowTime(trx)
      await trx.raw(sql).queryContext({ tenant: 'all' })
    })
  }
  const upTo = (count: number): string => `generate_series(1, ${count}) n`
  /** A third is the platform's, a third one tenant's, the others are everybody's. */
  const spread = `case n % 3 when 0 then 0 when 1 then ${tenant} else (select min(id) from tenants where code like 'many%') + n % 10000 end`
  await fill(`insert into tenants (code, name, created_at)
    select 'many' || n, 'Many ' || n, now() - n * interval '1 minute' from ${upTo(large.tenants)}`)
  await fill(`insert into users (tenant_id, account, email, nickname, created_at)
    select ${spread}, 'many' || n, 'many' || n || '@example.test', 'Many ' || n, now() - n * interval '1 minute'
      from ${upTo(large.users)}`)
  await fill(`insert into access_audit_log (tenant_id, action, target, actor_id, actor_scope, actor_tenant_id, created_at)
    select ${spread}, case n % 4 when 0 then 'config.updated' when 1 then 'user.created' else 'plugin.enabled' end,
           'user:' || n % 1000, n % 500, 'platform', 0, now() - n * interval '2 seconds' from ${upTo(large.audit)}`)
  await fill(`insert into user_notifications (id, tenant_id, user_id, title, body, level, source, kind, created_at)
    select gen_random_uuid(), u.tenant_id, u.id, 'Many ' || n, '', 'info', 'test', 'test', now() - n * interval '1 minute'
      from ${upTo(20_000)}, (select id, tenant_id from users where id in (
        (select min(id) from users where tenant_id = 0), (select min(id) from users where tenant_id = ${tenant}))) u`)
  await growPlugins(fill, tenant)
  await growJobs(fill)
  // The host would sum them as well.
  await fill('alter table ai_usage disable trigger user')
  await fillLedger(knex, new Date(Date.now() - 30 * 86_400_000).toISOString(), countTo(large.usage / 20_000))
  await fill('alter table ai_usage enable trigger user')
  await knex.raw('analyze')
}

/** Releases that are there and run nowhere. */
async function growPlugins(fill: (sql: string) => Promise<void>, tenant: number): Promise<void> {
  const upTo = `generate_series(1, ${large.plugins}) n`
  await fill(`insert into plugin_releases (name, version, tree_hash, sha256, size, manifest, files, trust)
    select 'many.p' || n, r.version, r.tree_hash, r.sha256, r.size,
           r.manifest || jsonb_build_object('name', 'many.p' || n, 'title', jsonb_build_object('default', 'Many ' || n)), r.files, r.trust
      from ${upTo}, (select * from plugin_releases order by id limit 1) r`)
  await fill(`insert into plugins (name, scope, status, active_release, generation)
    select r.name, 'tenant', 'installed', r.id, (select generation from plugin_desired_state)
      from plugin_releases r where r.name like 'many.p%'`)
  await fill(`insert into plugin_tenants (plugin_id, tenant_id)
    select p.id, t.id from plugins p, tenants t
     where p.name like 'many.p%' and (t.id = ${tenant} or t.code like 'many%' and t.id % 100 = p.id % 100)`)
  await fill(`insert into plugin_operations (id, plugin, plugin_id, kind, state, actor, fencing, started_at, finished_at)
    select gen_random_uuid(), p.name, p.id, case when n % 2 = 0 then 'enable' else 'disable' end, 'succeeded', n % 100, n,
           now() - (n * 500 + p.id) * interval '1 minute', now() from generate_series(1, 40) n, plugins p`)
  await fill(`insert into plugin_tenant_usage (plugin_id, tenant_id, hour, counts, durations)
    select p.id, t.id, date_trunc('hour', now()) - h * interval '1 hour', '{10,1,0}', '{1,2,3}'
      from plugins p, tenants t, generate_series(0, 23) h where t.code like 'many%' and t.id % 100 = p.id % 100 and p.name like 'many.p%'
     limit ${large.usage}`)
}

function growJobs(fill: (sql: string) => Promise<void>): Promise<void> {
  return fill(`insert into jobs (tenant_id, kind, payload, state, created_at, run_at)
    select n % 50, 'many' || n % 50, '{}', 'done', now() - n * interval '1 minute', now() from generate_series(1, 100000) n`)
}

/** Is true so often. */
function countTo(times: number): () => boolean {
  let turn = 0
  return () => ++turn < times
}
