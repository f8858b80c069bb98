import type { Outcome } from '../wire/call.ts'

/** Why a sandbox host was, or had to be, killed; `lost` is one that somebody else killed, `starved` one that got no time. */
export type KillReason = 'lost' | 'starved' | 'cpu' | 'memory' | 'wall' | 'crash' | 'drain' | 'dispose'

/** What became of a call whose sandbox host died under it. */
interface Death {
  readonly died: KillReason
  /** False of a call that still waited for its turn. */
  readonly hasBegun: boolean
  /** The call to blame; several calls share the suspicion when nobody saw which it was. */
  readonly blame: 'guilty' | 'suspect' | 'innocent'
  /** Something of what it did may be left: it is not done again. */
  readonly hasActed: boolean
  readonly cost: { readonly cpuMs: number; readonly wallMs: number; readonly hostCalls: number }
}

/** What comes back from a sandbox host for a call. */
export type LaneResult = Outcome | Death

/** The outcome of a call that died with its host and is not tried again. */
export function presentDeath({ died, blame, cost }: Death): Outcome {
  if (blame === 'guilty' && died === 'wall') return { ok: false, kind: 'timeout', ...cost }
  if (blame === 'suspect' && died === 'wall') return { ok: false, kind: 'timeout', fault: 'host', ...cost }
  if (blame === 'guilty' && died === 'cpu') return { ok: false, kind: 'limit', limit: 'cpu', ...cost }
  // A process that ends by itself ran out of memory: nothing else ends it.
  if (blame === 'guilty' && (died === 'memory' || died === 'crash'))
    return { ok: false, kind: 'limit', limit: 'memory', ...cost }
  // What somebody else's plugin did is not for this one's callers to know.
  const isEnded = died === 'drain' || died === 'dispose'
  const whose = died === 'starved' ? ({ fault: 'machine' } as const) : {}
  return { ok: false, kind: 'killed', cause: isEnded ? died : 'plugin_restarted', ...whose, ...cost }
}
