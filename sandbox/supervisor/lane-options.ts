import type { Logger } from '#kernel'

import type { KillReason } from './kill.ts'
import type { LostTime } from './lost-time.ts'

/** The end of a sandbox host, and the plugins that it is laid to. */
export interface LaneDeath<Lane> {
  readonly lane: Lane
  readonly reason: KillReason
  readonly plugins: ReadonlySet<string>
  /** False when one of these plugins did it and nobody saw which. */
  readonly isCertain: boolean
}

/** How a sandbox host is started. */
export interface LaneOptions<Lane> {
  readonly name: string
  readonly log: Logger
  readonly isTrusted: boolean
  /** What this process lost, which no sandbox host is to blame for. */
  readonly lost: LostTime
  /** Whether a host of this name holds plugins apart from the others. */
  readonly isApart: (name: string) => boolean
  readonly onDeath: (death: LaneDeath<Lane>) => void
}
