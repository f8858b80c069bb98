import type { Call, Outcome, SandboxTrial } from '../wire/call.ts'
import type { LaneSet } from './lane-set.ts'
import type { Lane } from './lane.ts'

/** Who uploads one release often uploads the next one: to start a host takes longer than most releases take to load. */
const keptMs = 5_000
const prefix = 'trial-'

/** How a call is made in a sandbox host that may have to start first. */
type Enter = (starting: Promise<Lane>, call: Call) => Promise<Outcome>

/** Whether a sandbox host of this name is for trials. */
export function isTrial(name: string): boolean {
  return name.startsWith(prefix)
}

/**
 * Sandbox hosts for releases that nobody has tried, one trial at a time in each. One in which all went well forgets the release and
 * is kept a moment for the next trial; any other ends with its trial, so that nothing is judged by what another release left behind.
 */
export class Trials implements Disposable {
  readonly #lanes: LaneSet
  readonly #enter: Enter
  #kept: { readonly name: string; readonly timer: NodeJS.Timeout } | undefined
  #count = 0

  constructor(lanes: LaneSet, enter: Enter) {
    this.#lanes = lanes
    this.#enter = enter
  }

  start(refused: Outcome): SandboxTrial {
    let name: string | undefined
    let isEnded = false
    let isClean = true
    let running = 0
    const codes = new Set<string>()
    return {
      call: async (call) => {
        if (isEnded) return refused
        name ??= this.#takeKept() ?? `${prefix}${++this.#count}`
        codes.add(call.code.id)
        running += 1
        const outcome = await this.#enter(this.#lanes.get(name, { isPatient: true }), call)
        running -= 1
        isClean &&= outcome.ok
        return outcome
      },
      [Symbol.dispose]: () => {
        isEnded = true
        if (name !== undefined) this.#leave(name, isClean && running === 0 ? codes : undefined)
      },
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#kept?.timer)
  }

  #takeKept(): string | undefined {
    const name = this.#kept?.name
    clearTimeout(this.#kept?.timer)
    this.#kept = undefined
    return name
  }

  #leave(name: string, codes: ReadonlySet<string> | undefined): void {
    const lane = this.#lanes.lanes.find((each) => each.name === name)
    if (!codes || !lane || this.#kept || this.#lanes.isDisposed) return this.#lanes.end(name)
    for (const id of codes) lane.drop(id)
    const timer = setTimeout(() => {
      this.#kept = undefined
      this.#lanes.end(name)
    }, keptMs)
    this.#kept = { name, timer: timer.unref() }
  }
}
