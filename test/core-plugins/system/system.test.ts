// @both-back-ends
import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import pg from 'pg'
import { StartError } from '#kernel'
import system from '../../../core-plugins/system/index.ts'
import { createHealthCheck } from '../../../core-plugins/system/health.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { itInMemory, itOnRedis } from '../../support/it-on-redis.ts'
import { assertLeavesNothing, startTestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

describe('health', () => {
  it('answers 200 with every check, unwrapped and not to be stored', async () => {
    await using host = await startTestKernel({ plugins: [system] })
    const { status, headers, body } = await host.api.get('/api/public/health')
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    const timestamp = new Date(body['timestamp'] as unknown as string).toISOString()
    const checks = Object.fromEntries(
      ['database', 'cache'].map((name) => [
        name,
        { status: 'healthy', latency_ms: Number(body['checks']?.[name]?.['latency_ms']) },
      ]),
    )
    assert.deepEqual(body, { status: 'healthy', timestamp, checks })
    assert.equal((await host.request('HEAD', '/api/public/health')).status, 200)
  })

  it('answers 503 while the database is away', async () => {
    const database = await createTestDatabase()
    await using host = await startTestKernel({ plugins: [system], databaseUrl: database.url })
    await database[Symbol.asyncDispose]()
    await until(async () => (await host.api.get('/api/public/health')).status === 503)
    const { body, headers } = await host.api.get('/api/public/health', { headers: { 'accept-language': 'zh' } })
    assert.deepEqual(
      [body['status'], body['checks']?.['database']?.['status'], body['checks']?.['cache']?.['status']],
      ['unhealthy', 'unhealthy', 'healthy'],
    )
    assert.deepEqual(
      [
        body['code'],
        body['reason'],
        body['message'],
        body['trace_id'],
        headers['retry-after'],
        headers['cache-control'],
      ],
      [5032, 'health_failed', '平台的某个部分没有响应', headers['x-trace-id'], '1', 'no-store'],
    )
  })

  it('gives a probe one second, shares its answer and never runs one twice at a time', async () => {
    let asked = 0
    const check = createHealthCheck({
      silent: () => {
        asked += 1
        return new Promise(() => undefined)
      },
      late: () => new Promise((_, reject) => setTimeout(reject, 950)),
      refusing: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
    })
    const [first, second] = await Promise.all([check(), check()])
    assert.equal(first, second)
    assert.equal((await check()).status, 'unhealthy')
    const { silent, late, refusing } = first.checks
    assert.deepEqual(
      [first.status, silent?.error, late?.error, refusing?.error, asked],
      ['unhealthy', 'timeout', 'timeout', 'unreachable', 1],
    )
    assert.ok((silent?.latency_ms ?? 0) >= 990)
  })
})

describe('the description of the interface', () => {
  it('lists enabled routes and has a version', async () => {
    await using host = await startTestKernel({ plugins: [system] })
    const answer = await host.api.get('/openapi.json')
    assert.deepEqual([answer.status, (answer.body['openapi'] as unknown as string).slice(0, 3)], [200, '3.1'])
    assert.ok(answer.body['paths']?.['/api/public/health'])
    const etag = String(answer.headers['etag'])
    const again = await host.api.get('/openapi.json', { headers: { 'if-none-match': `W/${etag}` } })
    assert.deepEqual([again.status, again.headers['etag'], again.body], [304, etag, ''])
  })
})

describe('the claim of a host on its database', () => {
  itInMemory('refuses a second host without Redis', async () => {
    await using first = await startTestKernel({ plugins: [system] })
    await assert.rejects(
      startTestKernel({ plugins: [system], databaseUrl: first.databaseUrl }),
      new StartError('Another host uses this database: several hosts need Redis, set REDIS_URL on each'),
    )
    assert.equal((await first.api.get('/api/public/health')).status, 200)
  })

  itOnRedis('lets hosts with Redis in together', async () => {
    await using first = await startTestKernel({ plugins: [system] })
    await using second = await startTestKernel({ plugins: [system], databaseUrl: first.databaseUrl })
    assert.equal((await second.api.get('/api/public/health')).status, 200)
  })

  it('is made again when its connection breaks, and ends with the host', async () => {
    await using database = await createTestDatabase()
    const host = await startTestKernel({ plugins: [system], databaseUrl: database.url })
    const observer = new pg.Client({ connectionString: database.url })
    await observer.connect()
    const holders = async (): Promise<readonly number[]> => {
      const { rows } = await observer.query<{ pid: number }>(
        `select l.pid from pg_locks l join pg_database d on d.oid = l.database
          where locktype = 'advisory' and granted and datname = current_database()`,
      )
      return rows.map(({ pid }) => pid)
    }
    const [before] = await holders()
    await observer.query('select pg_terminate_backend($1)', [before])
    await until(async () => (await holders()).some((pid) => pid !== before))
    await host[Symbol.asyncDispose]()
    await until(async () => (await holders()).length === 0)
    await observer.end()
  })

  it('is given back when the plugin is disabled, with everything else', async () => {
    await using host = await startTestKernel({ plugins: [] })
    await assertLeavesNothing(host.kernel, system)
  })
})
