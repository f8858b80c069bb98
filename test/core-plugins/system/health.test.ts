// @both-back-ends
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import system from '../../../core-plugins/system/index.ts'
import { startEmbeddedPostgres } from '../../../kernel/data/embedded-postgres.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { silentLog, startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { startRedisServer } from '../../support/redis-server.ts'
import { until } from '../../support/until.ts'

/** What health says of each part: `healthy`, or why not. */
async function partsOf(host: TestKernel): Promise<Readonly<Record<string, unknown>>> {
  const { status, headers, body } = await host.api.get('/api/public/health')
  const checks = Object.entries(body['checks'] as unknown as Record<string, { status: string; error?: string }>)
  const parts = Object.fromEntries(checks.map(([name, check]) => [name, check.error ?? check.status]))
  const isHealthy = Object.values(parts).every((part) => part === 'healthy')
  assert.deepEqual(
    [status, body['status'], headers['cache-control'], headers['ratelimit']],
    [isHealthy ? 200 : 503, isHealthy ? 'healthy' : 'unhealthy', 'no-store', undefined],
  )
  return parts
}

describe('health, while a part is really away', () => {
  it('says so of a database that hangs or is gone, within a second, and when it is back', async () => {
    await using resources = new AsyncDisposableStack()
    const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-health-'))
    resources.defer(() => rm(dataDir, { recursive: true, force: true }))
    await chmod(dataDir, 0o711)
    const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
    resources.defer(() => postgres[Symbol.asyncDispose]())
    const host = resources.use(await startTestKernel({ plugins: [system], databaseUrl: postgres.url }))
    const answers = [await partsOf(host)]
    const backends = await pidsOf(host)
    for (const pid of [postgres.pid, ...backends]) process.kill(pid, 'SIGSTOP')
    try {
      // The first to hang is a timeout; what is asked later may find the connection given up.
      let parts = answers[0]
      await until(async () => (parts = await partsOf(host))['database'] !== 'healthy')
      answers.push(parts!)
      const asked = performance.now()
      await partsOf(host)
      assert.ok(performance.now() - asked < 5_000)
      assert.equal((await host.request('HEAD', '/api/public/health')).status, 503)
    } finally {
      for (const pid of [postgres.pid, ...backends]) process.kill(pid, 'SIGCONT')
    }
    await until(async () => (await partsOf(host))['database'] === 'healthy')
    await postgres[Symbol.asyncDispose]()
    await until(async () => (await partsOf(host))['database'] !== 'healthy')
    assert.deepEqual(answers, [
      { database: 'healthy', cache: 'healthy' },
      { database: 'timeout', cache: 'healthy' },
    ])
    const { body } = await host.api.get('/api/public/health')
    assert.deepEqual(Object.keys(body['checks']?.['database'] ?? {}), ['status', 'latency_ms', 'error'])
  })

  itOnRedis('says so of a cache that hangs or is gone, and when it is back', async () => {
    await using resources = new AsyncDisposableStack()
    const redis = resources.use(await startRedisServer())
    const host = resources.use(await startTestKernel({ plugins: [system], env: { REDIS_URL: redis.url } }))
    const cache = async (): Promise<unknown> => (await partsOf(host))['cache']
    assert.equal(await cache(), 'healthy')
    redis.freeze(true)
    await until(async () => (await cache()) !== 'healthy')
    redis.freeze(false)
    await until(async () => (await cache()) === 'healthy')
    await redis.kill()
    await until(async () => (await cache()) === 'unreachable')
    const { body } = await host.api.get('/api/public/health')
    assert.equal(JSON.stringify(body).includes(String(redis.port)), false)
    assert.equal(body['checks']?.['database']?.['status'], 'healthy')
    await redis.start()
    await until(async () => (await cache()) === 'healthy')
  })

  it('asks each part once for all who want to know within a second', async () => {
    await using host = await startTestKernel({ plugins: [system] })
    const answers = await Promise.all(Array.from({ length: 100 }, () => host.api.get('/api/public/health')))
    assert.equal(new Set(answers.map(({ body }) => String(body['timestamp'] as unknown))).size <= 2, true)
  })
})

/** The server processes that serve this host. */
async function pidsOf(host: TestKernel): Promise<readonly number[]> {
  const { rows } = await host.kernel.database.knex.raw<{ rows: readonly { pid: number }[] }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  return rows.map(({ pid }) => pid)
}
