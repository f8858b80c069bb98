import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import knex from 'knex'
import { generateFernetKey } from '#kernel'
import { newUser } from '../core-plugins/agents/world.ts'
import { addModelAt } from '../core-plugins/chat/runs-world.ts'
import { makeStormAgents, quotaOfAll, untilSettled } from '../core-plugins/chat/storm-world.ts'
import { leftOpen, storm } from '../core-plugins/chat/storm.ts'
import { Api } from '../support/api.ts'
import { startFakeUpstream } from '../support/fake-upstream/start.ts'
import { createTenant, dataOf } from '../support/platform.ts'
import { startRedisServer } from '../support/redis-server.ts'
import { until } from '../support/until.ts'
import { ChaosHost } from './chaos-host.ts'
import { startPostgresServer } from './postgres-server.ts'
import type { Random } from './random.ts'

const password = 'a long enough passphrase'
const email = 'admin@stoa.test'
const callers = 8

/**
 * Runs of agents over two hosts of which one is killed so often, at vendors that fail, with readers that leave, come back at either host and
 * cancel. Prints figures and every fault, and answers how many faults there were.
 */
export async function runChatStorm(runs: number, kills: number, random: Random): Promise<number> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-chaos-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = started.use(await startPostgresServer())
  const redis = started.use(await startRedisServer())
  const upstream = started.use(await startFakeUpstream())
  const env = {
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', LOG_LEVEL: 'warn', STOA_DEMO: '0', PUBLIC_URL: 'http://stoa.test' },
    ...{ ADMIN_EMAIL: email, ADMIN_PASSWORD: password, EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` },
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const host = async (name: string) =>
    started.use(await ChaosHost.start(path.join(folder, name), { env, database: postgres.url, redis: redis.url }))
  const [first, second] = [await host('one'), await host('two')]
  const nobody = new Api(first.url)
  const admin = nobody.as(
    dataOf(await nobody.post('/admin/auth/login/json', { account: email, email, password }))['access_token'],
  )
  dataOf(await admin.put('/admin/ai/gateway', { breaker: { min_requests: 10_000, consecutive: 100 } }))
  const { owner, id: tenantId } = await createTenant(admin, 'runs')
  const { api } = await newUser(owner, 'runs', 'anna')
  const agents = await makeStormAgents(owner, (name) => addModelAt(admin, upstream, name))
  const quotaId = await quotaOfAll(admin, tenantId)
  const every = kills > 0 ? Math.ceil(runs / (kills + 1)) : Infinity
  let killing: Promise<void> = Promise.resolve()
  const before = (count: number): Promise<void> => {
    if (count % every === 0 && count < runs) {
      const other = count % (2 * every) === 0 ? first : second
      killing = killing.then(async () => {
        await other.kill()
        await other.restart()
      })
      // Told once the storm is over, when everything can be ended.
      killing.catch(() => undefined)
    }
    return Promise.resolve()
  }
  const begun = performance.now()
  const users = [api.at(first.url), api.at(second.url)]
  const report = await storm({ users, agents, runs, callers, random, before, isDeadly: kills > 0 })
  await killing
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
  const db = knex({ client: 'pg', connection: postgres.url, pool: { min: 0, max: 1 } })
  started.defer(() => db.destroy())
  await untilSettled(admin, quotaId, 180_000)
  // A host that died is believed dead after 20 seconds, and its holds are charged a while later.
  const open = () => leftOpen(db, tenantId)
  await until(async () => (await open()).length === 0, 180_000).catch(() => undefined)
  const faults = [...report.faults, ...(await open())]
  console.log(`${String(runs)} runs in ${seconds} s, ${String(report.resumes)} resumed, ${String(kills)} kills`)
  for (const [end, count] of Object.entries(report.ends)) console.log(`${end}: ${String(count)}`)
  for (const fault of faults) console.log(`FAULT ${fault}`)
  return faults.length
}
