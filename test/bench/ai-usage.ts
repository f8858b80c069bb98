import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import { allowTime, createLogger, generateFernetKey, readEnvironment, startKernel } from '#kernel'
import { RunningKernel } from '../../kernel/kernel.ts'
import { ledgerPlugins } from '../core-plugins/ai-ledger/world.ts'
import { startOperatorBackEnd } from '../support/back-end.ts'
import { Api } from '../support/api.ts'
import { platformToken } from '../support/plain-identity.ts'
import { print } from './print.ts'

/** Rows of the ledger; `AI_USAGE_ROWS` says otherwise, up to five million. */
const rows = Math.min(Number(process.env['AI_USAGE_ROWS'] ?? 2_000_000), 5_000_000)
const atOnce = 50_000
const turns = 30
const everybody = { tenant: 'all' } as const

/** A month of usage as an administrator looks at it, with millions of rows in it, beside a month with none. */
export async function measureAiUsage(): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-usage-bench-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  const backEnd = resources.use(await startOperatorBackEnd())
  const secrets = {
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const env = { ...readEnvironment({ ...secrets, ...backEnd.env, DATA_DIR: dataDir, HOST: '127.0.0.1' }), port: 0 }
  const host = { env, plugins: ledgerPlugins, namespace: randomUUID(), log: createLogger('warn') }
  const kernel = resources.use(await startKernel(host))
  if (!(kernel instanceof RunningKernel)) throw new Error('no kernel')
  const { knex } = kernel.database
  const now = new Date()
  const month = (more: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more, 1)).toISOString()
  const began = performance.now()
  // As if all had been summed already: summing goes row by row, and is not what is measured.
  await knex.raw('alter table ai_usage disable trigger ai_usage_noted')
  for (let from = 0; from < rows; from += atOnce) await fill(knex, from, Math.min(atOnce, rows - from), month(0))
  await knex.transaction(async (trx) => {
    await allowTime(trx)
    for (const each of sums) await trx.raw(summing(each)).queryContext(everybody)
  })
  await knex.raw('alter table ai_usage enable trigger ai_usage_noted')
  await knex.raw(`analyze ai_usage, ${sums.map(([table]) => table).join(', ')}`)
  print('rows of usage of one month, with their days', String(rows), `${rate(began)} by set-based SQL`)
  const admin = new Api(kernel.url, platformToken('*:*'))
  const trends = async (from: string, to: string, more: string): Promise<number> => {
    const since = performance.now()
    const { status } = await admin.get(`/admin/ai/usage/trends?from=${from}&to=${to}&bucket=1d${more}`)
    if (status !== 200) throw new Error(`trends answered ${status}`)
    return performance.now() - since
  }
  const costs = await admin.get(`/admin/ai/usage/costs?from=${month(0)}&to=${month(1)}&reconcile=true`)
  const { equal } = (costs.body['data'] as unknown as { reconciliation: { equal: boolean } }).reconciliation
  if (!equal) throw new Error('the days are not what the rows come to')
  for (const [title, more] of [
    ['all tenants, by model', '&group_by=model'],
    ['all tenants, by model, in Shanghai', '&group_by=model&tz=Asia/Shanghai'],
    ['all tenants, by tenant', '&group_by=tenant'],
    ['one tenant, by user', '&group_by=user&tenant_id=3'],
  ] as const) {
    const [full, empty]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      full.push(await trends(month(0), month(1), more))
      empty.push(await trends(month(-2), month(-1), more))
    }
    const [p50, floor] = [median(full), median(empty)]
    print(
      `/usage/trends of that month, ${title}, p50`,
      `${p50.toFixed(1)} ms`,
      `${(p50 / floor).toFixed(1)} × ${floor.toFixed(1)} ms of an empty month`,
    )
  }
}

/** Twenty tenants with ten users each, four models, evenly over the month until now. */
async function fill(db: Knex, from: number, count: number, month: string): Promise<void> {
  await db
    .raw(
      `insert into ai_usage
       select gen_random_uuid(), gen_random_uuid(), 1, t.at, t.at, n % 20 + 1, n % 200 + 1, 'key_' || n % 200, null, null, 'chat',
              'mdl_' || n / 7 % 4, 'model-' || n / 7 % 4, 1, 'prv_' || n / 7 % 2,
              100 + n % 900, 0, 0, 50 + n % 450, 0, 1000 + n % 9000, 1000 + n % 9000, 1000 + n % 9000, 0,
              'provider', case when n % 97 = 0 then 'upstream_error' else 'ok' end, 100 + n % 2000, 500 + n % 5000,
              true, false, 0, 0, 0
         from generate_series(?::int, ?::int) n,
              lateral (select ?::timestamptz + (now() - ?::timestamptz) * ((n * 7919::bigint) % ?::int) / ?::int as at) t`,
      [from, from + count - 1, month, month, rows, rows],
    )
    .queryContext(everybody)
}

/** The sums as the ledger makes them: by hour or day, of everything or without users, keys and agents, and of all tenants together. */
const sums = [
  ['ai_usage_hours', 'hour', 'tenant_id', true],
  ['ai_usage_days', 'day', 'tenant_id', true],
  ['ai_usage_totals', 'hour', 'tenant_id', false],
  ['ai_usage_day_totals', 'day', 'tenant_id', false],
  ['ai_usage_platform', 'hour', '0', false],
  ['ai_usage_platform_days', 'day', '0', false],
] as const

function summing([table, unit, tenant, isDetailed]: (typeof sums)[number]): string {
  const more = isDetailed ? ['key_id', 'user_id', 'agent_id'] : []
  const keys = ['slot', 'tenant_id', 'model_id', 'model', 'provider_id', 'purpose', ...more]
  const figures = {
    ...{ requests: 'count(*)', errors: `count(*) filter (where outcome = 'upstream_error')`, estimated: '0' },
    ...{ input_tokens: 'sum(input_tokens)', cached_input_tokens: '0', cache_write_tokens: '0' },
    ...{ output_tokens: 'sum(output_tokens)', reasoning_tokens: '0', cost_nano: 'sum(cost_nano)' },
    ...{ list_cost_nano: 'sum(list_cost_nano)', possible_cost_nano: 'sum(possible_cost_nano)', saved_nano: '0' },
    ...{ tool_calls: '0', tool_cpu_ms: '0', sandbox_ms: '0' },
    ...{ duration_ms: 'sum(duration_ms)', ttft: 'array(select count(*) / 20 from generate_series(1, 20))' },
  }
  const of = isDetailed ? `key_id, user_id, ''` : ''
  return `insert into ${table} (${[...keys, ...Object.keys(figures)].join(', ')})
    select date_trunc('${unit}', at, 'UTC'), ${tenant}, model_id, model, provider_id, purpose${of && `, ${of}`},
           ${Object.values(figures).join(', ')}
      from ai_usage group by ${keys.map((_, at) => at + 1).join(', ')}`
}

function rate(began: number): string {
  return `${Math.round((rows * 1_000) / (performance.now() - began))}/s`
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
