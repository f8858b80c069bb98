// @both-back-ends
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { childEnv } from '../../support/child-env.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { until } from '../../support/until.ts'
import { startQueueHost, type QueueHost } from './world.ts'

describe('jobs of a host that is killed', () => {
  it('are taken over within 25 seconds; none is lost, and none of a key overtaken', async () => {
    await using resources = new AsyncDisposableStack()
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-jobs-'))
    resources.defer(() => rm(folder, { recursive: true, force: true }))
    const file = path.join(folder, 'begun')
    const world = resources.use(await startQueueHost())
    const keys = ['a', 'b', 'c']
    const entries = keys.flatMap((key) => Array.from({ length: 10 }, (_, n) => ({ payload: { key, n }, key })))
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', entries))
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'host.ts'), file], {
      env: { ...childEnv, ...environment(world, folder) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    resources.defer(() => void child.kill('SIGKILL'))
    const begun = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).sort()
    await until(async () => (await begun()).length === 3, 60_000)
    const ran: string[] = []
    world.run<{ key: string; n: number }>({
      keepSeconds: 0,
      run: ({ payload: { key, n } }) => void ran.push(`${key} ${n}`),
    })
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    const killed = performance.now()
    await until(() => ran.length >= 3, 60_000)
    assert.ok(performance.now() - killed < 25_000, `${performance.now() - killed} ms`)
    await until(async () => (await world.rows()).length === 0, 60_000)
    assert.deepEqual(await begun(), ['a 0', 'b 0', 'c 0'])
    for (const key of keys) {
      const mine = ran.filter((each) => each.startsWith(key))
      assert.deepEqual(
        mine,
        Array.from({ length: 10 }, (_, n) => `${key} ${n}`),
      )
    }
  })
})

function environment({ host }: QueueHost, dataDir: string): Record<string, string> {
  const redisUrl = testRedisUrl()
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: host.databaseUrl,
    NAMESPACE: host.namespace,
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  }
}
