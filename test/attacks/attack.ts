import type { Tally } from './tally.ts'
import type { World } from './world.ts'

/** Until when an attack goes on. */
export type IsOver = () => boolean

/** What an attack has to do with. */
export interface Field {
  readonly world: World
  /** What became of the attacker's own calls. */
  readonly tally: Tally
}

/** One way to take from others what is theirs; all that it does is allowed to any plugin or administrator. */
export interface Attack {
  readonly name: string
  /** Longer than others, where one turn of it takes so long. */
  readonly seconds?: number
  /** Installs what it needs, and answers the attack itself: the neighbour is watched during that alone. */
  prepare(field: Field): Promise<(isOver: IsOver) => Promise<void>>
}
