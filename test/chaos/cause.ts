import type { HostIndex, Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/** What a cause breaks, and by what it chooses. */
export interface Broken {
  readonly world: World
  readonly ledger: Ledger
  readonly random: Random
  readonly host: HostIndex
}

/** One thing that is broken and mended again; `whose` says which hosts may notice. */
export interface Cause {
  readonly name: string
  readonly whose: 'nobody' | 'one' | 'both'
  /** How often it happens in a run. */
  readonly times: number
  /** Answers that are true of it, and would not be of anything else. */
  readonly allows?: readonly number[]
  /** Breaks it and resolves when it is whole again. */
  run(broken: Broken): Promise<void>
}
