import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import type { Attack } from './attack.ts'
import { plainRoute, probes } from './neighbour.ts'
import { Tally } from './tally.ts'
import { watchDuring, type Seen } from './watch.ts'
import type { World } from './world.ts'

/** How an attack went. */
export interface Episode {
  readonly attack: Attack
  readonly tally: Tally
  /** What the neighbour met, and the plain route beside it. */
  readonly seen: readonly Seen[]
  /** Why sandbox hosts were ended with calls in them. */
  readonly ends: readonly string[]
  readonly load: number
}

const calmMs = 60_000
const pauseMs = 1_000

/** Prepares it, watches the neighbour while it goes on, and waits until all is calm again. */
export async function runAttack(attack: Attack, world: World, seconds: number): Promise<Episode> {
  const { host, good } = world
  const tally = new Tally()
  const begin = await attack.prepare({ world, tally })
  await calm(world)
  const printed = host.output().length
  const over = performance.now() + (attack.seconds ?? seconds) * 1_000
  const work = begin(() => performance.now() > over)
  const seen = await watchDuring(good.api, [...probes, plainRoute], work)
  const load = loadavg()[0] ?? 0
  await world.clear()
  await calm(world)
  return { attack, tally, seen, ends: endsIn(host.output().slice(printed)), load }
}

/** Until the neighbour is answered as before. */
async function calm({ good }: World): Promise<void> {
  const [ping] = probes
  await until(async () => (await good.api.get(ping?.path ?? '')).status === 200, calmMs)
  await sleep(pauseMs)
}

function endsIn(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => {
    if (!line.includes('a sandbox host was ended')) return []
    return /"?reason"?:\s*"?(\w+)/.exec(line)?.[1] ?? 'unknown'
  })
}
