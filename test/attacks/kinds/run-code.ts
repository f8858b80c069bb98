import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Field } from '../attack.ts'

/** How the pieces of an attack are called. */
export interface CodeOptions {
  /** Calls of one plugin at once; half of them of each tenant. */
  readonly callers?: number
  /** All pieces go on at once; otherwise one has its turn after the other. */
  readonly isTogether?: boolean
}

/** A plugin that is paused is asked again so soon. */
const pausedMs = 250
/** One piece's turn: long enough for the calls of it that take all their time. */
const turnMs = 4_000

/** Code that handlers run again and again, each piece of it in a plugin of its own, which nobody has paused yet. */
export function runCode(name: string, pieces: readonly string[], options: CodeOptions = {}): Attack {
  const { callers = 8, isTogether = false } = options
  return {
    name,
    async prepare(field) {
      const { world } = field
      const plugins: string[] = []
      for (let count = 0; count < pieces.length; count++) plugins.push(await world.attacker())
      return async (isOver) => {
        const since = performance.now()
        const isTurnOf = (index: number): boolean =>
          isTogether || Math.floor((performance.now() - since) / turnMs) % pieces.length === index
        const call = async (index: number, caller: number): Promise<void> => {
          const send = callOf(field, plugins[index] ?? '', pieces[index] ?? '')
          while (!isOver()) {
            if (!isTurnOf(index)) await sleep(20)
            else if (await send(caller)) await sleep(pausedMs)
          }
        }
        const all = pieces.flatMap((_, index) => Array.from({ length: callers }, (_, caller) => call(index, caller)))
        await Promise.all(all)
      }
    },
  }
}

/** Calls it once as one of the attackers; true when the plugin is paused or has no room. */
function callOf({ world, tally }: Field, plugin: string, code: string): (caller: number) => Promise<boolean> {
  return async (caller) => {
    const owner = world.evil[caller % world.evil.length]
    if (!owner) return true
    const answer = await tally.count(owner.api.post(`/tenant/plugins/${plugin}/api/run`, { code }))
    return answer?.status === 503 || answer?.status === 429
  }
}
