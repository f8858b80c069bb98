// @both-back-ends
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { openStore } from '../../../kernel/data/store.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { freePort } from '../../support/free-port.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { openTestStore } from '../../support/stores.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

describe('store without a Redis that answers', () => {
  it('does not start, and says in one line what is wrong', async () => {
    await assert.rejects(openStore({ hostId: 'a', log: recordingLog().log, redisUrl: 'redis://127.0.0.1:1' }), {
      name: 'StartError',
      message: 'REDIS_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    })
  })
})

if (testRedisUrl() !== undefined) {
  describe('store in an outage of Redis', () => {
    let port: number
    let server: ChildProcess
    const { log, lines } = recordingLog()
    const count = (line: string): number => lines.filter((each) => each === line).length

    const startServer = async (): Promise<void> => {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()]
      server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
      let words = ''
      server.stdout?.on('data', (chunk: Buffer) => (words += chunk.toString()))
      await until(() => words.includes('Ready to accept connections'))
    }
    const stopServer = async (): Promise<void> => {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    before(async () => {
      port = await freePort()
      await startServer()
    })
    after(stopServer)

    it('answers at once, misses, counts by itself, and is whole again afterwards', async () => {
      await using store = await openTestStore('redis', { redisUrl: `redis://127.0.0.1:${port}`, log })
      const { cache, limiter, locks, bus } = store
      await cache.set('kept', 1, 60)
      await stopServer()
      await until(() => lines.includes('error: Redis is away'))
      const started = Date.now()
      assert.deepEqual(
        {
          get: await cache.get('kept'),
          take: await cache.take('kept'),
          set: await cache.set('a', 1, 60),
          wrap: await cache.wrap('b', 60, () => Promise.resolve('loaded')),
          hits: [await limiter.hit('a', 1, 60), await limiter.hit('a', 1, 60)].map((hit) => hit.allowed),
          publish: await bus.publish('a', 1),
        },
        { get: undefined, take: undefined, set: undefined, wrap: 'loaded', hits: [true, false], publish: false },
      )
      await assert.rejects(cache.ping(), { code: 5030, reason: 'cache_unavailable' })
      await assert.rejects(
        locks.withLock('a', () => Promise.resolve()),
        { code: 5030, reason: 'cache_unavailable' },
      )
      assert.ok(Date.now() - started < 5_000)
      await startServer()
      // Each connection comes back by itself.
      await until(() => count('info: Redis is back') === count('error: Redis is away'))
      await cache.set('a', 2, 60)
      assert.deepEqual(
        {
          ping: await cache.ping(),
          get: await cache.get('a'),
          lock: await locks.withLock('a', () => Promise.resolve(3)),
        },
        { ping: undefined, get: 2, lock: 3 },
      )
      assert.deepEqual(lines.filter((line) => line.startsWith('warn')).sort(), [
        'warn: Rate limits are counted on this host alone',
        'warn: The cache fails: reads miss and writes are dropped',
        'warn: Words to the other hosts are lost',
      ])
    })

    it('does not hang on a Redis that is silent, and deletes afterwards what could not be deleted or replaced', async () => {
      await using store = await openTestStore('redis', { redisUrl: `redis://127.0.0.1:${port}`, log })
      const { cache } = store
      await cache.set('stale', 1, 60)
      await cache.set('p:stale', 1, 60)
      await cache.set('written', 1, 60)
      server.kill('SIGSTOP')
      const started = Date.now()
      await cache.delete('stale')
      await cache.deleteByPrefix('p:')
      await cache.set('written', 2, 60)
      assert.ok(Date.now() - started < 15_000)
      server.kill('SIGCONT')
      await until(
        async () =>
          await cache.ping().then(
            () => true,
            () => false,
          ),
      )
      const left = [await cache.get('stale'), await cache.get('p:stale'), await cache.get('written')]
      // A write that was dropped leaves nothing older behind either.
      assert.deepEqual(left, [undefined, undefined, undefined])
      await cache.set('stale', 2, 60)
      assert.equal(await cache.get('stale'), 2)
    })

    it('hears an answer that came while the process had no turn, for longer than answers are waited for', async () => {
      await using store = await openTestStore('redis', { redisUrl: `redis://127.0.0.1:${port}`, log })
      const answer = store.cache.ping()
      const end = performance.now() + 2_000
      while (performance.now() < end);
      assert.equal(await answer, undefined)
    })

    it('notices that a connection which only listens hears nothing any more', async () => {
      const url = `redis://127.0.0.1:${port}`
      await using proxy = await startTcpProxy({ port })
      const namespace = `deaf-${process.pid}`
      await using store = await openTestStore('redis', { redisUrl: proxy.through(url), namespace, log })
      await using other = await openTestStore('redis', { redisUrl: url, namespace, log })
      const heard = new Set<number>()
      store.bus.subscribe('word', (payload) => void heard.add(Number(payload)))
      await other.bus.publish('word', 1)
      await until(() => heard.has(1))
      // The connections there are go silent without an end; new ones are well.
      const old = proxy.open
      proxy.follow((_piece, _from, connection) => (connection <= old ? 'swallow' : 'pass'))
      await until(async () => {
        await other.bus.publish('word', 2)
        return heard.has(2)
      }, 20_000)
    })
  })
}
