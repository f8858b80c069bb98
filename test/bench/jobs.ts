import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import { createLogger, generateFernetKey, readEnvironment, startKernel } from '#kernel'
import { jobs } from '../../core-plugins/jobs/contract.ts'
import { slots } from '../../core-plugins/jobs/worker/fair-room.ts'
import { RunningKernel } from '../../kernel/kernel.ts'
import { queuePlugins } from '../core-plugins/jobs/world.ts'
import { startOperatorBackEnd } from '../support/back-end.ts'
import { print } from './print.ts'

const many = 20_000
const tenants = 10

/** Jobs that do nothing, from the table through a host and out of it; and how long one waits for an idle host. */
export async function measureJobs(): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-jobs-bench-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  const backEnd = resources.use(await startOperatorBackEnd())
  const secrets = {
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const env = { ...readEnvironment({ ...secrets, ...backEnd.env, DATA_DIR: dataDir, HOST: '127.0.0.1' }), port: 0 }
  const host = { env, plugins: queuePlugins, namespace: randomUUID(), log: createLogger('warn') }
  const kernel = resources.use(await startKernel(host))
  if (!(kernel instanceof RunningKernel)) throw new Error('no kernel')
  const { knex } = kernel.database
  const queue = kernel.services.get(jobs)
  const entries = Array.from({ length: many }, (_, n) => ({ payload: { n }, tenant: (n % tenants) + 1 }))
  let began = performance.now()
  await knex.transaction((trx) => queue.enqueueAll(trx, 'bench.nothing', entries))
  print(`jobs queued a second, ${many} in one transaction`, rate(began), '')
  let statements = 0
  knex.on('query', () => statements++)
  let left = many
  let tell: (at: number) => void = () => undefined
  const over = new Promise<number>((resolve) => (tell = resolve))
  const cpu = process.cpuUsage()
  const databaseCpu = await databaseCpuMs(knex)
  began = performance.now()
  resources.use(
    queue.register({
      ...{ kind: 'bench.nothing', concurrency: slots, keepSeconds: 0 },
      run() {
        if (--left <= 0) tell(performance.now())
      },
    }),
  )
  await over
  print('jobs a second through the queue', rate(began), 'aim ≥ 2,000/s; pg-boss 12.35, 100 a fetch: 855')
  const { user, system } = process.cpuUsage(cpu)
  print('CPU of the host for one of them', `${((user + system) / 1_000 / many).toFixed(2)} ms`, '')
  print('CPU of the database for it', `${(((await databaseCpuMs(knex)) - databaseCpu) / many).toFixed(2)} ms`, '')
  print('statements for a hundred of them', ((100 * statements) / many).toFixed(1), '')
  const waits: number[] = []
  for (let n = 0; n < 50; n++) {
    const run = new Promise<number>((resolve) => (tell = resolve))
    const queued = performance.now()
    await knex.transaction((trx) => queue.enqueue(trx, 'bench.nothing', {}))
    waits.push((await run) - queued)
  }
  const median = waits.toSorted((a, b) => a - b)[25] ?? 0
  print('from the call of enqueue to the run on an idle host, p50', `${median.toFixed(1)} ms`, 'aim ≤ 100 ms')
}

/** What the database's processes have used so far, in milliseconds; those that are gone are not counted. */
async function databaseCpuMs(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: readonly { pid: number }[] }>('select pid from pg_stat_activity')
  const ticks = await Promise.all(
    rows.map(async ({ pid }) => {
      const [user, system] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ').slice(11, 13)
      return Number(user) + Number(system)
    }),
  )
  return ticks.reduce((sum, each) => sum + each, 0) * 10
}

function rate(began: number): string {
  return `${Math.round((many * 1_000) / (performance.now() - began))}/s`
}
