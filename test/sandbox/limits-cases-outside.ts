import { sandboxLimits, tableName, type EffectiveLimits, type LimitName } from '#sandbox'
import type { LimitCase } from './limits-cases.ts'

const caught = (work: string): string =>
  `async (input, ctx, db) => { try { ${work} } catch (error) { return told(error) } }`

/** The limits of requests, to a server that answers and to one that never says a word. */
export function httpLimits(port: number, silentPort: number): Partial<Record<LimitName, LimitCase>> {
  const fetch = (path: string, more = ''): string =>
    `await ctx.http.fetch({ url: 'http://api.example.test:${port}${path}'${more} })`
  const asking = (limits: Partial<EffectiveLimits>, work: string, expected: string): LimitCase => {
    return { limits, guest: caught(work), expected }
  }
  return {
    httpTimeoutMs: asking({ httpTimeoutMs: 100 }, fetch('/hang'), 'upstream timeout'),
    httpConnectMs: {
      limits: {},
      guest: caught(`await ctx.http.fetch({ url: 'https://api.example.test:${silentPort}/' })`),
      expected: 'upstream timeout',
      async run(world, name) {
        const began = performance.now()
        const answer = await world.call(name)
        return performance.now() - began < sandboxLimits.httpConnectMs.max ? answer : 'the timeout of the whole request'
      },
    },
    httpResponseBytes: asking({ httpResponseBytes: 1_000 }, fetch('/large'), 'upstream response_too_large'),
    httpDecodeRatio: asking({}, fetch('/bomb'), 'upstream response_too_large'),
    httpCalls: asking({ httpCalls: 2 }, `for (;;) ${fetch('/json')}`, 'rate_limited http_calls'),
    httpPerMinute: asking({ httpPerMinute: 2 }, `for (;;) ${fetch('/json')}`, 'rate_limited http_rate'),
    httpRequestHeaderBytes: asking(
      { httpRequestHeaderBytes: 50 },
      fetch('/json', `, headers: { 'x-long': 'y'.repeat(100) }`),
      'bad_request argument_invalid',
    ),
    httpResponseHeaderBytes: asking({}, fetch('/headers'), 'upstream response_invalid'),
  }
}

/** The limits of the plugin's own tables. */
export const tableLimits: Partial<Record<LimitName, LimitCase>> = {
  statementMs: {
    limits: {},
    guest: caught(`return await db.table('lines').where('page', 'locked').update({ amount: 1 })`),
    expected: 'upstream statement_timeout',
    run: async (world, name) => {
      const { knex } = world.database
      const lines = tableName('acme.notes', 'lines')
      const tenant = { tenant: 1 }
      await knex(lines).queryContext(tenant).insert({ tenant_id: 1, note: 1, page: 'locked' })
      const trx = await knex.transaction()
      try {
        await trx(lines).queryContext(tenant).where({ page: 'locked' }).forUpdate()
        return await world.call(name)
      } finally {
        await trx.rollback()
      }
    },
  },
  connections: {
    limits: { connections: 1 },
    // The second statement waits for the connection of the transaction that waits for it.
    guest: caught(`await db.tx(async (tx) => {
      await tx.table('lines').count()
      await db.table('lines').count()
    })`),
    expected: 'unavailable database_busy',
  },
  transactionMs: {
    limits: { transactionMs: 50, cpuMs: 2_000 },
    guest: caught(`await db.tx(async (tx) => {
      await tx.table('lines').count()
      for (const end = Date.now() + 200; Date.now() < end;);
      await tx.table('lines').count()
    })`),
    expected: 'conflict transaction_over',
  },
  transactionStatements: {
    limits: { transactionStatements: 2 },
    guest: caught(`await db.tx(async (tx) => { for (;;) await tx.table('lines').count() })`),
    expected: 'rate_limited transaction_statements',
  },
  rows: {
    limits: { rows: 2 },
    guest: `async (input, ctx, db) => {
      for (const note of [1, 2, 3]) await db.table('lines').insert({ note })
      return (await db.table('lines').limit(1_000)).length
    }`,
    expected: 2,
  },
  resultBytes: {
    limits: { resultBytes: 1_000 },
    guest: caught(`
      await db.table('lines').insert({ note: 1, page: 'x'.repeat(2_000) })
      return await db.table('lines').where('note', 1)`),
    expected: 'invalid result_too_large',
  },
  tableRows: {
    limits: { tableRows: 2 },
    guest: `async (input, ctx, db) => { for (let name = 0; ; name++) await db.table('times').insert({ name: String(name) }) }`,
    expected: '4297 plugin_storage_quota',
  },
  tablesMb: {
    limits: { tablesMb: 0 },
    guest: `async (input, ctx, db) => db.table('notes').insert({ title: 'a' })`,
    expected: '4297 plugin_storage_quota',
  },
}
