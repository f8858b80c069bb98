import type { KillReason } from './kill.ts'
import type { PendingCall } from './pending-call.ts'

/** What the end of a sandbox host is laid to. */
interface Blame {
  /** The numbers of its calls, those first that are the likeliest to have done it. */
  readonly calls: ReadonlySet<number>
  readonly plugins: ReadonlySet<string>
  /** False when one of several plugins did it and nobody saw which, or somebody outside. */
  readonly isCertain: boolean
}

/** The end of a sandbox host, as far as it is known. */
interface LaneEnd {
  readonly reason: KillReason
  /** The calls that the host itself named, by what it measured of their isolate, those first that are the likeliest. */
  readonly named: readonly number[]
  /** It measured it of each of them: it is not only that nobody else can have done it. */
  readonly isSure: boolean
  /** No other plugin was ever in the host, which holds those apart that are under suspicion. */
  readonly isAlone: boolean
}

/** Reasons that are seen from outside: whose fault it was nobody measured. */
const unseen: ReadonlySet<KillReason> = new Set(['lost', 'crash', 'wall'])

/**
 * Lays an end to the calls that were named, or to all that were inside when none was. One that was measured of nobody is
 * certain only of a plugin that was alone: a neighbour who happens to be the only one inside has done nothing.
 */
export function layBlame(
  pending: ReadonlyMap<number, PendingCall>,
  { reason, named, isSure, isAlone }: LaneEnd,
): Blame {
  if (reason === 'starved') return { calls: new Set(), plugins: new Set(), isCertain: false }
  const isOpen = reason === 'lost' || reason === 'crash' || (reason === 'memory' && named.length === 0)
  // Those that have been inside for longest first, where nobody was named.
  const laid = isOpen ? [...pending.keys()] : named
  const blamed = laid.flatMap((id) => {
    const each = pending.get(id)
    // A drain ends every call of a release, also those whose turn has not come.
    return each && (reason === 'drain' || !each.isWaiting) ? ([[id, each]] as const) : []
  })
  const plugins = new Set(blamed.map(([, { call }]) => call.code.plugin))
  const isMeasured = isSure && !unseen.has(reason) && !isOpen
  const isCertain = plugins.size === 1 && reason !== 'lost' && (isMeasured || isAlone)
  return { calls: new Set(blamed.map(([id]) => id)), plugins, isCertain }
}

/**
 * The calls of a dead host in the order in which they go on: the innocent, then those of whose plugin the host had least, and
 * of these the least likely.
 */
export function innocentFirst(
  pending: ReadonlyMap<number, PendingCall>,
  blamed: ReadonlySet<number>,
): readonly (readonly [number, PendingCall])[] {
  const counts = new Map<string, number>()
  for (const id of blamed) {
    const plugin = pending.get(id)?.call.code.plugin
    if (plugin !== undefined) counts.set(plugin, (counts.get(plugin) ?? 0) + 1)
  }
  const likeliest = [...blamed]
  const count = ([id, { call }]: readonly [number, PendingCall]): number =>
    blamed.has(id) ? (counts.get(call.code.plugin) ?? 0) : 0
  return [...pending].sort(
    (one, other) => count(one) - count(other) || likeliest.indexOf(other[0]) - likeliest.indexOf(one[0]),
  )
}
