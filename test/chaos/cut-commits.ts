import { setTimeout as sleep } from 'node:timers/promises'
import type { Rule } from '../support/tcp-proxy.ts'
import type { Broken } from './cause.ts'
import type { Random } from './random.ts'

const commits = 0.2
const pieces = 0.01

/** For ten seconds every fifth connection that commits is cut, before the server hears it or before its answer arrives. */
export function cutCommits(broken: Broken): Promise<void> {
  return cutFor(broken, (piece) => /commit/i.test(piece.toString('latin1')) && broken.random() < commits)
}

/** The same with any statement. */
export function cutStatements(broken: Broken): Promise<void> {
  return cutFor(broken, () => broken.random() < pieces)
}

async function cutFor({ world, random }: Broken, isMeant: (piece: Buffer) => boolean): Promise<void> {
  for (const { database } of world.hosts) database.follow(cutWhere(isMeant, random))
  await sleep(10_000)
  for (const { database } of world.hosts) database.resume()
}

function cutWhere(isMeant: (piece: Buffer) => boolean, random: Random): Rule {
  const doomed = new Set<number>()
  return (piece, from, connection) => {
    if (from === 'server') return doomed.delete(connection) ? 'reset' : 'pass'
    if (!isMeant(piece)) return 'pass'
    if (random() < 0.5) return 'reset'
    doomed.add(connection)
    return 'pass'
  }
}
