import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import type { Api } from '../../support/api.ts'
import { createTenant, startPlatform, type Platform } from '../../support/platform.ts'
import { scannedBy } from './scanned-tables.ts'

const rows = 40_000
const yesterday = new Date(Date.now() - 86_400_000).toISOString()
const ai = '/admin/ai'

/** Every list of the AI area with its filters; what administrators of the platform set up by hand is large for tenants alone. */
const lists: readonly (readonly ['tenant' | 'admin', string])[] = [
  ...['', '?kind=chat&status=active', '?tag=cheap', '?provider_id=prv_8', '?q=none', '?sort=name&page=40'].map(
    (query) => ['tenant', `${ai}/models${query}`] as const,
  ),
  ...['', '?type=openai_compatible&status=enabled', '?region=eu', '?q=none'].map(
    (query) => ['tenant', `${ai}/providers${query}`] as const,
  ),
  ...['', '?enabled=true&strategy=balanced', '?q=none'].map(
    (query) => ['tenant', `${ai}/gateway/routes${query}`] as const,
  ),
  ...['', '?metric=cost&status=active', '?key_id=none', '?user_id=7', '?q=none'].map(
    (query) => ['tenant', `${ai}/quotas${query}`] as const,
  ),
  ...['', '?status=disabled', '?user_id=7', '?q=none', '?sort=-last_used_at'].map(
    (query) => ['tenant', `${ai}/api-keys${query}`] as const,
  ),
  ...['', '?status=done', '?q=none'].map((query) => ['tenant', `${ai}/usage/reports${query}`] as const),
  ...['', '?state=firing', '?state=pending&scope=tenant', '?q=none'].map(
    (query) => ['tenant', `${ai}/health/alerts${query}`] as const,
  ),
  ['tenant', `${ai}/gateway/stats`],
  ['tenant', `${ai}/health/metrics`],
  ...(['tenant', 'admin'] as const).flatMap((caller) => [
    ...['', '?outcome=ok', '?provider_id=prv_8', '?model=m8', '?purpose=chat&key_id=none', `?to=${yesterday}`].map(
      (query) => [caller, `${ai}/usage${query}`] as const,
    ),
    ...[
      ...['', '?level=error', '?outcome=none', '?trace_id=none', '?provider_id=prv_88'],
      ...[`?from=${yesterday}`, `?to=${yesterday}`, '?limit=200'],
    ].map((query) => [caller, `${ai}/health/logs${query}`] as const),
    ...['', '?ok=false', '?kind=chat', '?provider_id=prv_88', '?provider_id=prv_88&ok=true&kind=passive'].map(
      (query) => [caller, `${ai}/health/checks${query}`] as const,
    ),
  ]),
]

describe('lists of what grows with AI', () => {
  let platform: Platform
  let knex: Knex
  let callers: Readonly<Record<'tenant' | 'admin', Api>>
  let tables: readonly string[]

  before(async () => {
    platform = await startPlatform()
    const { services, database } = platform.host.kernel
    knex = database.knex
    // What background work reads is no list.
    for (const kind of ['ai.check', 'ai.alerts']) await services.get(jobs).unschedule(knex, kind)
    const { owner, id } = await createTenant(platform.admin, 'large')
    callers = { tenant: owner, admin: platform.admin }
    tables = await grow(knex, id)
    // Active quotas are in memory from the first time on.
    await platform.admin.get(`${ai}/health/metrics`)
  })
  after(() => platform[Symbol.asyncDispose]())

  for (const [caller, path] of lists) {
    it(`${caller} ${path} reads no large table from end to end`, async () => {
      const call = () => callers[caller].get(path)
      const read = () => scannedBy(call, { knex, url: platform.host.databaseUrl, tables })
      let { scanned, sent } = await read()
      // Figures that somebody read a moment ago are kept for a few seconds.
      for (let turn = 0; sent.length === 0 && turn < 60; turn++) {
        await pause(250)
        ;({ scanned, sent } = await read())
      }
      assert.deepEqual(scanned, [], sent.join('\n'))
      assert.ok(sent.length > 0)
    })
  }
})

/** A tenant with an eighth of the rows of each table; answers the tables, and the parts of them, that are large. */
async function grow(knex: Knex, tenant: number): Promise<readonly string[]> {
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const spread = `(case when n % 8 = 0 then ${tenant} else 1000000 + n % 50 end)`
  const now = `now() - n * interval '1 microsecond'`
  // Over the days of this month: what is of parts of hours is read from the rows.
  const month = `greatest(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC', now() - n * interval '40 seconds')`
  const usage = `ai_usage_p${today.slice(0, 6)}`
  const filled = {
    ai_providers: `(id, tenant_id, code, name, type, region) select 'prv_' || n, ${spread}, 'p' || n, 'p', 'openai_compatible', 'us'`,
    ai_models: `(id, tenant_id, name, aliases, display_name, kind, status, capabilities, tags, last_version)
      select 'mdl_' || n, ${spread}, 'm' || n, '[]', 'm', 'chat', 'active', '{}', '[]', 1`,
    ai_model_versions: `(model_id, version, tenant_id, provider_id, upstream_model, params, drop_params, note, activates_at)
      select 'mdl_' || n, 1, ${spread}, 'prv_' || n, 'up', '{}', '[]', '', now()`,
    ai_routes: `(id, tenant_id, name, enabled, priority, match, targets, fallbacks)
      select 'rt_' || n, ${spread}, 'r', true, 1, '{}', '[{"id":"t","model":"m","tier":0,"weight":1,"enabled":true}]', '[]'`,
    ai_quotas: `(id, tenant_id, is_platforms, name, metric, amount, span, mode, estimate, on_exceed, status)
      select 'qta_' || n, ${spread}, false, 'q', 'requests', 5, '{"kind":"total"}', 'hard', 'strict', '{"action":"reject"}', 'disabled'`,
    ai_api_keys: `(id, tenant_id, name, scopes, models, agents, tools, ip_allow, status)
      select 'key_' || n, ${spread}, 'k', '{}', '{}', '{}', '{}', '{}', 'active'`,
    ai_usage_reports: `(id, tenant_id, name, status, wish, created_by)
      select 'rpt_' || n, ${spread}, 'r', 'done', '{"type":"summary","from":"2026-01-01","to":"2026-02-01","tz":"UTC","group_by":[],"format":"csv","invoice":null}', 1`,
    ai_alert_rules: `(id, tenant_id, name, condition, notify, cooldown_s)
      select 'alr_' || n, ${spread}, 'r', '{"metric":"error_rate","scope":{},"op":">","value":1,"for_s":0}', '{"ws":[],"email":[]}', 9`,
    ai_alerts: `(id, tenant_id, rule_id, subject, name, metric, since, value, resolved_at)
      select 'alt_' || n, ${spread}, 'alr_' || n, 'rule:' || n, 'r', 'error_rate', now(), 1, case when n % 4 > 0 then now() end`,
    ai_gateway_figures: `(at, host_id, tenant_id, target, key, model_id, figures)
      select now() - n * interval '1 minute', 'h', ${spread}, 't', 'p/u', 'm', '{"requests":0,"success":0,"retries":0,"failovers":0,"aborts":0,"errors":{},"latency":{},"ttft":{},"speed":{},"rejected":{}}'`,
    // Into the month itself, past the list of what sums do not have yet.
    [usage]: `(id, request_id, attempt, at, attempt_at, tenant_id, purpose, model_id, model, model_version, provider_id, input_tokens,
        cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_nano, list_cost_nano, possible_cost_nano,
        saved_nano, usage_source, outcome, duration_ms, stream, cached, tool_calls, tool_cpu_ms, sandbox_ms)
      select gen_random_uuid(), gen_random_uuid(), 1, ${month}, now(), ${spread}, 'chat', 'mdl_' || n, 'm' || n % 50, 1, 'prv_' || n % 50, 1,
        0, 0, 1, 0, 1, 1, 1, 0, 'provider', 'ok', 1, false, false, 0, 0, 0`,
    ai_request_log: `(id, at, trace_id, tenant_id, user_id, purpose, model, stream, provider_id, first_provider_id, attempts, outcome, level,
        cost_nano, duration_ms)
      select 'req_' || n, ${now}, 't' || n, ${spread}, n % 500, 'chat', 'm' || n % 50, false, 'prv_' || n % 500,
        case when n % 50 = 0 then 'prv_' || n % 499 end, '[]',
        case when n % 20 = 0 then 'upstream_error' else 'ok' end, case when n % 20 = 0 then 'error' else 'info' end, 0, 1`,
    ai_health_checks: `(id, at, tenant_id, provider_id, kind, level, ok, cost_nano, node)
      select 'chk_' || n, ${now}, ${spread}, 'prv_' || n % 500, 'passive', 'requests', n % 20 > 0, 0, 'n'`,
  }
  for (const [table, insert] of Object.entries(filled)) {
    // Nobody needs to hear of them.
    const [name, from] = [`"${table}"`, `generate_series(1, ${String(rows)}) as n`]
    await knex
      .raw(
        `alter table ${name} disable trigger user; insert into ${name} ${insert} from ${from};
         alter table ${name} enable trigger user; analyze ${name}`,
      )
      .queryContext({ tenant: 'all' })
  }
  return [...Object.keys(filled), 'ai_usage', `ai_request_log_p${today}`, `ai_health_checks_p${today}`]
}
