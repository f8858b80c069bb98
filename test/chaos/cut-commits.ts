import { setTimeout as sleep } from 'node:timers/promises'
import type { Rule } from '../support/tcp-proxy.ts'
import type { Broken } from './cause.ts'
import type { Random } from './random.ts'

const SHARE = 0.2

/** For ten seconds every fifth connection that commits is cut, before the server hears it or before its answer arrives. */
export async function cutCommits({ world, random }: Broken): Promise<void> {
  for (const { database } of world.hosts) database.follow(cutSome(random))
  await sleep(10_000)
  for (const { database } of world.hosts) database.resume()
}

function cutSome(random: Random): Rule {
  const doomed = new Set<number>()
  return (piece, from, connection) => {
    if (from === 'server') return doomed.delete(connection) ? 'reset' : 'pass'
    if (!/commit/i.test(piece.toString('latin1')) || random() >= SHARE) return 'pass'
    if (random() < 0.5) return 'reset'
    doomed.add(connection)
    return 'pass'
  }
}
