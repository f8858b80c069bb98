import type { Logger } from '#kernel'

import type { LaneDeath } from './lane-options.ts'
import { Lane } from './lane.ts'
import { LostTime } from './lost-time.ts'
import type { LaneProgram } from './lane-process.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

/** What a set of sandbox hosts is made with. */
export interface LaneSetOptions {
  readonly log: Logger
  readonly spares: number
  /** Whether a host of this name holds plugins apart from the others. */
  readonly isApart: (name: string) => boolean
  readonly onDeath: (death: LaneDeath<Lane>) => void
}

/** The sandbox hosts of a pool: started when first needed, replaced from a warm spare when they die. */
export class LaneSet implements AsyncDisposable {
  readonly #program: LaneProgram
  readonly #options: LaneSetOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #spares = new Set<Lane>()
  /** Processes that may still be there, the dying ones too. */
  readonly #living = new Set<Lane>()
  readonly #lost = new LostTime()
  #failures = 0
  #pausedUntil = 0
  #timer: NodeJS.Timeout | undefined
  isDisposed = false

  constructor(program: LaneProgram, options: LaneSetOptions) {
    this.#program = program
    this.#options = options
    this.#fill()
  }

  get lanes(): readonly Lane[] {
    return [...this.#lanes.values()].filter((lane) => !lane.isDead)
  }

  get spares(): number {
    return this.#spares.size
  }

  /** The living host of this name, made of a spare or started now. Throws when none can be started. */
  async get(name: string, isTrusted: boolean): Promise<Lane> {
    const known = this.#lanes.get(name)
    const lane = known && !known.isDead ? known : this.#take(name, isTrusted)
    if (!lane.isReady) await lane.ready()
    return lane
  }

  /** Ends a host that nobody needs; false when there are calls in it. */
  close(name: string): boolean {
    const lane = this.#lanes.get(name)
    if (lane && lane.calls > 0) return false
    this.end(name)
    return true
  }

  /** Ends a host with all that goes on in it. */
  end(name: string): void {
    const lane = this.#lanes.get(name)
    this.#lanes.delete(name)
    lane?.kill('dispose')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true
    clearTimeout(this.#timer)
    this.#lost[Symbol.dispose]()
    const living = [...this.#living]
    for (const lane of living) lane.kill('dispose')
    await Promise.all(living.map((lane) => lane.exited()))
  }

  #take(name: string, isTrusted: boolean): Lane {
    const [spare] = isTrusted ? [] : this.#spares
    if (!spare && Date.now() < this.#pausedUntil) throw new Error('sandbox hosts do not start')
    const lane = spare ?? this.#start(name, isTrusted)
    this.#spares.delete(lane)
    lane.name = name
    this.#lanes.set(name, lane)
    this.#fill()
    return lane
  }

  #start(name: string, isTrusted: boolean): Lane {
    if (this.isDisposed) throw new Error('the sandbox has stopped')
    const { log, isApart } = this.#options
    const onDeath = (death: LaneDeath<Lane>): void => this.#died(death)
    const lane = Lane.start(this.#program, { name, log, isTrusted, lost: this.#lost, isApart, onDeath })
    this.#living.add(lane)
    lane.ready().then(
      () => (this.#failures = 0),
      (error: unknown) => !this.isDisposed && log.error({ err: error }, 'a sandbox host did not start'),
    )
    void lane.exited().then(() => this.#living.delete(lane))
    return lane
  }

  /** Keeps as many spares as wanted; hosts that do not even start are tried again ever more slowly. */
  #fill(): void {
    clearTimeout(this.#timer)
    if (this.isDisposed) return
    const pause = this.#pausedUntil - Date.now()
    if (pause > 0) {
      this.#timer = setTimeout(() => this.#fill(), pause).unref()
      return
    }
    while (this.#spares.size < this.#options.spares) this.#spares.add(this.#start('spare', false))
  }

  #died(death: LaneDeath<Lane>): void {
    this.#spares.delete(death.lane)
    if (!death.lane.isReady) {
      this.#pausedUntil = Date.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS)
    }
    this.#options.onDeath(death)
    this.#fill()
  }
}
