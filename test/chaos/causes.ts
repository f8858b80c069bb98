import { setTimeout as sleep } from 'node:timers/promises'
import type { Broken, Cause } from './cause.ts'
import { between, type Random } from './random.ts'
import { cutCommits, cutStatements } from './cut-commits.ts'
import { fillDisk, fillPostgres } from './fill-disk.ts'
import type { World } from './world.ts'

const one = (name: string, run: Cause['run'], times = 1): Cause => ({ name, whose: 'one', times, run })
const both = (name: string, run: Cause['run'], times = 1): Cause => ({ name, whose: 'both', times, run })
const holeMs = 15_000

/** Everything that is broken in a whole run, each by itself. */
export function allCauses(kills: number): readonly Cause[] {
  return [
    { name: 'nothing', whose: 'nobody', times: 1, run: () => sleep(15_000) },
    one('kill-host', killHost, kills),
    one('stop-host', (broken) => stopHost(broken)),
    { name: 'kill-both', whose: 'both', times: Math.max(1, Math.ceil(kills / 5)), run: killBoth },
    one('restart-host', restartHost),
    { ...one('kill-sandboxes', killSandboxes, 2), allows: [5035] },
    both('stop-postgres', stopPostgres),
    both('kill-postgres', killPostgres, 2),
    both('restart-postgres', restartPostgres),
    both('cut-postgres', cutPostgres),
    one('hole-postgres', ({ world, host, random }) => hole([world.hosts[host].database], random), 2),
    both('hole-postgres-both', ({ world, random }) =>
      hole(
        world.hosts.map(({ database }) => database),
        random,
      ),
    ),
    both('slow-postgres', slowPostgres),
    both('kill-redis', killRedis, 2),
    both('stop-redis', stopRedis),
    one('hole-redis', ({ world, host, random }) => hole([world.hosts[host].redis], random)),
    both('hole-redis-both', ({ world, random }) =>
      hole(
        world.hosts.map(({ redis }) => redis),
        random,
      ),
    ),
    one('cut-redis', cutRedis, 3),
    one('fill-disk', fillDisk),
    both('fill-tables', (broken) => fillPostgres(broken, 'tables')),
    both('fill-log', (broken) => fillPostgres(broken, 'log')),
    both('cut-commits', cutCommits),
    both('cut-statements', cutStatements, 2),
    both('hole-files', holeFiles),
  ]
}

/** The host is there again once it is healthy. */
async function killHost({ world, host, ledger, random }: Broken): Promise<void> {
  await sleep(between(random, 0, 2_000))
  const isAlone = await world.hosts[host].kill()
  if (!isAlone) ledger.fault(`processes of the killed host ${host} live on`)
  await world.hosts[host].restart()
}

async function killBoth({ world }: Broken): Promise<void> {
  await Promise.all(world.hosts.map((host) => host.kill()))
  await Promise.all(world.hosts.map((host) => host.restart()))
}

/** As an operator rolls out a release. */
async function restartHost({ world, host }: Broken): Promise<void> {
  await world.hosts[host].stop()
  await world.hosts[host].restart()
}

/** The processes that plugins run in. */
async function killSandboxes({ world, host, random }: Broken): Promise<void> {
  for (let count = 0; count < 4; count++) {
    world.hosts[host].killBelow()
    await sleep(between(random, 100, 2_000))
  }
}

async function stopHost({ world, host }: Broken): Promise<void> {
  world.hosts[host].freeze(true)
  await sleep(holeMs)
  world.hosts[host].freeze(false)
}

async function stopPostgres({ world, random }: Broken): Promise<void> {
  await world.postgres.freeze(true)
  await sleep(between(random, 3_000, holeMs))
  await world.postgres.freeze(false)
}

async function killPostgres({ world, random }: Broken): Promise<void> {
  await world.postgres.kill()
  await sleep(between(random, 0, 8_000))
  await world.postgres.start()
}

async function restartPostgres({ world }: Broken): Promise<void> {
  await world.postgres.kill('fast')
  await world.postgres.start()
}

async function killRedis({ world, random }: Broken): Promise<void> {
  await world.redis.kill()
  await sleep(between(random, 0, 8_000))
  await world.redis.start()
}

async function stopRedis({ world, random }: Broken): Promise<void> {
  world.redis.freeze(true)
  await sleep(between(random, 3_000, holeMs))
  world.redis.freeze(false)
}

async function slowPostgres({ world }: Broken): Promise<void> {
  for (const { database } of world.hosts) database.delay(100)
  await sleep(10_000)
  for (const { database } of world.hosts) database.delay(0)
}

async function holeFiles({ world, random }: Broken): Promise<void> {
  await hole([world.files], random)
}

async function cutPostgres({ world, random }: Broken): Promise<void> {
  for (let count = 0; count < 8; count++) {
    for (const { database } of world.hosts) if (random() < 0.7) database.reset()
    await sleep(between(random, 100, 1_500))
  }
}

async function cutRedis({ world, host }: Broken): Promise<void> {
  world.hosts[host].redis.cut()
  await sleep(3_000)
  world.hosts[host].redis.heal()
}

/** Nothing comes through; afterwards connections are reset, or nobody is told that anything is missing. */
async function hole(wires: readonly World['hosts'][0]['database'][], random: Random): Promise<void> {
  for (const wire of wires) wire.swallow()
  await sleep(holeMs)
  const isTold = random() < 0.5
  for (const wire of wires)
    if (isTold) wire.heal()
    else wire.resume()
}
