// @both-back-ends
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { childEnv } from '../../support/child-env.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { until } from '../../support/until.ts'
import { bucketsOf, setQuotas, startLedgerHost, sumsOf, untilSettled, type LedgerHost } from './world.ts'

describe('holds of a host that is killed', () => {
  it('are settled by another: at the output that was written down, otherwise at the input', async () => {
    await using resources = new AsyncDisposableStack()
    const world = resources.use(await startLedgerHost())
    await setQuotas(
      [world],
      [
        { id: 'qta_all', amount: 100 },
        { id: 'qta_busy', tenant_id: 14, amount: 100_000 },
      ],
    )
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-holds-'))
    resources.defer(() => rm(folder, { recursive: true, force: true }))
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'host.ts')], {
      env: { ...childEnv, ...environment(world, folder) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    resources.defer(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const of = async (id: string) =>
      (await bucketsOf(world.db))
        .filter(({ quota_id: quota }) => quota === id)
        .map(({ used, held: amount }) => [used, amount])
    const held = () => of('qta_all')
    assert.deepEqual(await held(), [[0, 100]])
    assert.ok(((await of('qta_busy'))[0]?.[1] ?? 0) > 20, 'more is held than by the one call')
    const progress = async () =>
      (
        await world
          .db('ai_holds')
          .queryContext({ tenant: 'all' })
          .where('progress', 4)
          .select<readonly unknown[]>('request_id')
      ).length
    await until(async () => (await progress()) === 1, 30_000)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    await untilSettled(world.db, 90_000)
    const { rows, tokens } = await sumsOf(world.db)
    // Five inputs of 10, and 4 of output; and one of the lease, of which nothing else is left.
    assert.deepEqual([rows, tokens, await held(), await of('qta_busy')], [6, 64, [[54, 0]], [[10, 0]]])
    assert.equal((await world.ledger.state()).recoveredLastHour, 6)
    // Before what is had off: six for each input of five and two of the output, and the sixth as it is charged.
    const charged = await world
      .db('ai_usage')
      .queryContext({ tenant: 'all' })
      .sum({ cost: 'cost_nano', list: 'list_cost_nano' })
    assert.deepEqual(charged, [{ cost: '64', list: '42' }])
  })
})

function environment({ host }: LedgerHost, dataDir: string): Record<string, string> {
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
