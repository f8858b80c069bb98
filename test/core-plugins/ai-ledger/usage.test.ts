// @both-back-ends
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import type { Knex } from 'knex'
import { request } from 'undici'
import { eraseTenant } from '../../../core-plugins/ai-ledger/erasure.ts'
import { csvCell } from '../../../core-plugins/ai-ledger/usage/export.ts'
import { ttftLimits } from '../../../core-plugins/ai-ledger/usage/sum-usage.ts'
import type { Api } from '../../support/api.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { attemptOf, holdOf, startLedgerHost, untilSettled, wishOf, type LedgerHost } from './world.ts'

const path = '/admin/ai/usage'
const everybody = { tenant: 'all' } as const
type Plain = Readonly<Record<string, unknown>>

describe('usage and costs', () => {
  let world: LedgerHost
  let admin: Api
  let owner: Api

  before(async () => {
    world = await startLedgerHost()
    admin = world.host.api.as(platformToken('*:*'))
    owner = world.host.api.as(tenantToken(31, '*:*'))
    await fill(world.db)
  })
  after(() => world[Symbol.asyncDispose]())

  const at = (day: number): string => new Date(Date.UTC(2026, 2, day)).toISOString()
  const march = `from=${at(1)}&to=${at(32)}`

  it('are in the sums as they are in the ledger, and equal', async () => {
    const costs = dataOf(await admin.get(`${path}/costs?${march}&group_by=tenant,model&compare=previous&forecast=true`))
    const { total, items, reconciliation } = costs as unknown as {
      total: { amount: string }
      items: readonly { group: Plain; amount: string; requests: number; share: number }[]
      reconciliation: Plain
    }
    const [ledger = { cost: '', rows: 0 }] = await world
      .db('ai_usage')
      .queryContext(everybody)
      .whereBetween('at', [at(1), at(32)])
      .select<[{ cost: string; rows: number }]>(world.db.raw('sum(cost_nano)::text as cost, count(*)::int as rows'))
    assert.equal(reconciliation['equal'], true)
    assert.equal(BigInt(total.amount.replace('.', '').padEnd(total.amount.indexOf('.') + 9, '0')), BigInt(ledger.cost))
    assert.equal(
      items.reduce((sum, item) => sum + item.requests, 0),
      ledger.rows,
    )
    assert.equal(Math.round(items.reduce((sum, item) => sum + item.share, 0) * 100), 100)
  })

  it('come by day in the reader’s time zone, days without any included', async () => {
    for (const tz of ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/New_York']) {
      const { buckets } = dataOf(
        await admin.get(`${path}/trends?${march}&bucket=1d&tz=${tz}&tenant_id=31`),
      ) as unknown as {
        buckets: readonly { from: string; to: string; results: readonly Plain[] }[]
      }
      const rows = await world
        .db('ai_usage')
        .queryContext(everybody)
        .where({ tenant_id: 31 })
        .where('at', '>=', at(1))
        .where('at', '<', at(32))
        .groupByRaw('1')
        .orderByRaw('1')
        .select<{ day: string; rows: number }[]>(
          world.db.raw(`to_char(at at time zone ?, 'YYYY-MM-DD') as day, count(*)::int as rows`, [tz]),
        )
      const shown = buckets.map(({ results }) => results[0]?.['requests'] ?? 0)
      assert.deepEqual(
        shown.filter((requests) => requests !== 0),
        rows.map((row) => row.rows),
        tz,
      )
      assert.equal(buckets[0]?.from, at(1))
      assert.ok(buckets.every(({ from }, place) => place === 0 || from === buckets[place - 1]?.to))
      assert.ok(shown.includes(0))
    }
  })

  it('tell within which time half and 95 of 100 first tokens came', async () => {
    const asked = `${march}&tz=UTC&bucket=1mo&tenant_id=31&metrics=ttft_p50_ms,ttft_p95_ms`
    const { buckets } = dataOf(await admin.get(`${path}/trends?${asked}`)) as unknown as {
      buckets: readonly { readonly results: readonly Record<string, number>[] }[]
    }
    const row = await world
      .db('ai_usage')
      .queryContext(everybody)
      .where({ tenant_id: 31 })
      .where('at', '>=', at(1))
      .where('at', '<', at(32))
      .first<{ p50: number; p95: number }>(
        world.db.raw(`percentile_disc(0.5) within group (order by ttft_ms) as p50,
          percentile_disc(0.95) within group (order by ttft_ms) as p95`),
      )
    const edges = [0, ...ttftLimits]
    const binOf = (ms: unknown): number => edges.findLastIndex((edge) => edge <= Number(ms))
    // Else the one could be told for the other.
    assert.ok(binOf(row.p95) - binOf(row.p50) > 1, `${row.p50} ${row.p95}`)
    const shown = buckets.map(({ results: [sums] }) => [sums?.['ttft_p50_ms'], sums?.['ttft_p95_ms']].map(binOf))
    // Known within the limits that are counted, which a time may lie on.
    assert.equal(shown.length, 1)
    for (const [at, ms] of [row.p50, row.p95].entries()) assert.ok(Math.abs((shown[0]?.[at] ?? -9) - binOf(ms)) <= 1)
  })

  it('of a month are answered from the sums alone', async () => {
    const sent: { sql: string; bindings: readonly unknown[] }[] = []
    const note = (query: { sql: string; bindings?: readonly unknown[] }): void => {
      if (query.sql.includes('width_bucket')) sent.push({ sql: query.sql, bindings: query.bindings ?? [] })
    }
    world.db.on('query', note)
    dataOf(await admin.get(`${path}/trends?${march}&bucket=1d&group_by=model`))
    world.db.removeListener('query', note)
    const [{ sql, bindings } = { sql: '', bindings: [] }] = sent
    const { rows } = await world.db
      .raw<{ rows: Plain[] }>(`explain (analyze, format text) ${sql.replaceAll(/\$\d+/g, '?')}`, [
        ...bindings,
      ] as string[])
      .queryContext(everybody)
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    assert.match(plan, /ai_usage_platform_days/)
    assert.doesNotMatch(plan, /Seq Scan on ai_usage_(p\d+|default)/)
    assert.match(plan, /on ai_usage_default.*never executed|Seq Scan on ai_usage_new|ai_usage_new/)
  })

  it('count each attempt once, at once, and a tenant sees its own alone', async () => {
    const hold = await holdOf(world.ledger, wishOf({ spender: { tenantId: 31, userId: 5 } }))
    hold.end([attemptOf(7, 3), attemptOf(1, 1, { attempt: 2, outcome: 'truncated' })])
    await untilSettled(world.db)
    const listed = async () =>
      dataOf(await owner.get(`${path}?user_id=5&limit=1`)) as unknown as {
        items: readonly Plain[]
        next_cursor: string
        totals: Plain
      }
    await until(async () => (await listed()).totals['requests'] === 2)
    const { items, next_cursor: cursor, totals } = await listed()
    assert.deepEqual([totals['input_tokens'], totals['output_tokens'], totals['cost']], [8, 4, '0.000000012'])
    const rest = dataOf(await owner.get(`${path}?user_id=5&cursor=${cursor}`)) as unknown as { items: readonly Plain[] }
    assert.deepEqual([...items, ...rest.items].map(({ attempt }) => attempt).sort(), [1, 2])
    assert.ok(rest.items.every(({ tenant_id: tenant }) => tenant === 31))
    const [first] = items
    for (const [more, requests] of [
      ['outcome=truncated', undefined],
      [`request_id=${String(first?.['request_id'])}`, 2],
      [`request_id=${String(first?.['request_id'])}&outcome=blocked`, 0],
    ] as const) {
      const narrowed = dataOf(await owner.get(`${path}?user_id=5&${more}`)) as unknown as { totals: Plain | null }
      assert.equal(narrowed.totals?.['requests'], requests, more)
    }
    for (const part of ['', '/costs']) {
      const asked = `${path}${part}?${march}&tenant_id=32`
      assert.notDeepEqual(dataOf(await admin.get(asked))['items'], [])
      assert.deepEqual(dataOf(await owner.get(asked))['items'], [], part)
    }
    const costs = dataOf(await owner.get(`${path}/costs?group_by=tenant`)) as unknown as {
      items: readonly { group: Plain }[]
    }
    assert.ok(costs.items.every(({ group }) => group['tenant'] === 31))
    assert.equal((await owner.get(`${path}/trends?group_by=colour`)).status, 422)
  })

  it('are downloaded as CSV, JSON lines and FOCUS, packed where that is taken', async () => {
    const load = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await request(`${world.host.url}${path}/export?from=${at(1)}&to=${at(4)}&${query}`, {
        headers: { authorization: `Bearer ${platformToken('*:*')}`, ...headers },
      })
      const body = Buffer.from(await answer.body.arrayBuffer())
      assert.equal(answer.trailers['x-export-rows'], answer.headers['x-export-rows'])
      assert.equal(answer.headers['cache-control'], 'no-store')
      return { rows: Number(answer.headers['x-export-rows']), body, headers: answer.headers }
    }
    const csv = await load('format=csv')
    const lines = csv.body.toString().trimEnd().split('\r\n')
    assert.equal(lines.length - 1, csv.rows)
    assert.ok(lines.some((line) => line.includes(`,'=cmd,`)))
    assert.deepEqual(['+1', '-1', '@x', '\t=1', 'a"b', -3].map(csvCell), ["'+1", "'-1", "'@x", "'\t=1", '"a""b"', '-3'])
    const packed = await load('format=csv', { 'accept-encoding': 'gzip' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(packed.body), csv.body)
    const jsonl = (await load('format=jsonl')).body.toString().trimEnd().split('\n')
    assert.deepEqual(JSON.parse(jsonl.at(-1) ?? ''), { 'x-export-rows': csv.rows })
    assert.equal(jsonl.length - 1, csv.rows)
    const focus = (await load('format=focus')).body.toString().split('\r\n')
    assert.ok(focus[0]?.startsWith('BilledCost,BillingAccountId,') && focus[0].includes('x_InputTokens'))
  })

  it('of a tenant that is no more leave the sums of all', async () => {
    const read = async () =>
      dataOf(await admin.get(`${path}/costs?${march}&group_by=model`)) as unknown as {
        readonly total: Plain
        readonly items: readonly { readonly requests: number }[]
        readonly reconciliation: Plain
      }
    const before = await read()
    await eraseTenant(world.db, 32)
    const after = await read()
    assert.equal(after.reconciliation['equal'], true)
    assert.ok(Number(after.total['amount']) < Number(before.total['amount']))
    const hours = dataOf(await admin.get(`${path}/trends?${march}&bucket=1mo&tz=Asia/Kolkata`)) as unknown as {
      readonly buckets: readonly { readonly results: readonly { readonly requests: number }[] }[]
    }
    const [sums, trends] = [
      after.items.reduce((sum, { requests }) => sum + requests, 0),
      hours.buckets.flatMap(({ results }) => results).reduce((sum, { requests }) => sum + requests, 0),
    ]
    assert.equal(trends, sums)
  })
})

/** Rows of two tenants, three models and some users, on most days of March. */
async function fill(db: Knex): Promise<void> {
  await db
    .raw(
      `insert into ai_usage
       select gen_random_uuid(), gen_random_uuid(), 1, at, at, 31 + n % 2, 1 + n % 50, null, null, null, 'chat',
              'mdl_' || n % 3, case when n % 3 = 0 then '=cmd' else 'model-' || n % 3 end, 1, 'prv_a', n % 900, n % 100, 0, n % 300, 0,
              n * 1000 % 777777, n * 1000 % 777777, 0, 0, 'provider', 'ok', n % 3000, 10, true, false, 0, 0, 0
         from generate_series(1, 6000) as n,
              lateral (select timestamptz '2026-03-01T00:00:00Z' + n * interval '7 minutes 13 seconds' as at) as t
        where extract(day from at at time zone 'UTC') not in (11, 12)`,
    )
    .queryContext(everybody)
  const left = async (): Promise<number> =>
    (await db('ai_usage_new').queryContext(everybody).select<readonly unknown[]>(db.raw('1'))).length
  await until(async () => (await left()) === 0, 30_000)
}
