import type { KillReason } from './kill.ts'
import type { PendingCall } from './pending-call.ts'

/** What the end of a sandbox host is laid to. */
export interface Blame {
  /** The numbers of its calls. */
  readonly calls: ReadonlySet<number>
  readonly plugins: ReadonlySet<string>
  /** False when one of several plugins did it and nobody saw which, or somebody outside. */
  readonly isCertain: boolean
}

/** Lays an end to the calls that were named, or to all that were inside when none was. */
export function layBlame(
  pending: ReadonlyMap<number, PendingCall>,
  reason: KillReason,
  named: readonly number[],
): Blame {
  const isOpen = reason === 'lost' || reason === 'crash' || (reason === 'memory' && named.length === 0)
  // A drain ends every call of a release, also those whose turn has not come.
  const blamed = [...pending].filter(
    ([id, { isWaiting }]) => (reason === 'drain' || !isWaiting) && (isOpen || named.includes(id)),
  )
  const plugins = new Set(blamed.map(([, { call }]) => call.code.plugin))
  return { calls: new Set(blamed.map(([id]) => id)), plugins, isCertain: plugins.size === 1 && reason !== 'lost' }
}
