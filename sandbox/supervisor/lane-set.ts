import type { Logger } from '#kernel'

import type { LaneDeath } from './lane-options.ts'
import { Lane } from './lane.ts'
import { LostTime } from './lost-time.ts'
import type { LaneProgram } from './lane-process.ts'

const firstPauseMs = 100
const longestPauseMs = 30_000
/** The calls that a host left behind are served first: a process that starts takes a processor for as long. */
const afterDeathMs = 250

/** What a sandbox host is wanted for. */
interface LaneWish {
  readonly isTrusted?: boolean
  /** Whoever waits for it waits for no innocent call: it leaves the last spare to those who do. */
  readonly isPatient?: boolean
}

/** What a set of sandbox hosts is made with. */
interface LaneSetOptions {
  readonly log: Logger
  readonly spares: number
  /** Whether a host of this name holds plugins apart from the others. */
  readonly isApart: (name: string) => boolean
  readonly onDeath: (death: LaneDeath<Lane>) => void
  /** How long after a death no spare is started; 250 ms unless said otherwise. */
  readonly calmMs?: number
}

/** The sandbox hosts of a pool: started when first needed, replaced from a warm spare when they die. */
export class LaneSet implements AsyncDisposable {
  readonly #program: LaneProgram
  readonly #options: LaneSetOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #spares = new Set<Lane>()
  /** Hosts that plugins shared and that died: they come back first. */
  readonly #vacant = new Set<string>()
  /** Processes that may still be there, the dying ones too. */
  readonly #living = new Set<Lane>()
  readonly #lost = new LostTime()
  #failures = 0
  #pausedUntil = 0
  #calmFrom = 0
  #keepsSpares = false
  #timer: NodeJS.Timeout | undefined
  isDisposed = false

  constructor(program: LaneProgram, options: LaneSetOptions) {
    this.#program = program
    this.#options = options
  }

  /** From now on there are spares: a set that runs nothing keeps no process. */
  keepSpares(): void {
    if (this.#keepsSpares) return
    this.#keepsSpares = true
    this.#fill()
  }

  get lanes(): readonly Lane[] {
    return [...this.#lanes.values()].filter((lane) => !lane.isDead)
  }

  get spares(): number {
    return this.#spares.size
  }

  /** The living host of this name, made of a spare or started now. Throws when none can be started. */
  async get(name: string, wish: LaneWish = {}): Promise<Lane> {
    const known = this.#lanes.get(name)
    const lane = known && !known.isDead ? known : this.#take(name, wish)
    if (!lane.isReady) await lane.ready()
    return lane
  }

  /** Ends a host that nobody needs; false when there are calls in it, or it starts for one. */
  close(name: string): boolean {
    const lane = this.#lanes.get(name)
    if (lane && !lane.isDead && (lane.calls > 0 || !lane.isReady)) return false
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

  #take(name: string, wish: LaneWish): Lane {
    const { isTrusted = false } = wish
    this.#vacant.delete(name)
    const spare = isTrusted ? undefined : this.#spareFor(name, wish)
    if (!spare && Date.now() < this.#pausedUntil) throw new Error('sandbox hosts do not start')
    const lane = spare ?? this.#start(name, isTrusted)
    this.#spares.delete(lane)
    lane.name = name
    this.#lanes.set(name, lane)
    this.#fill()
    return lane
  }

  /** Those that plugins share get one that is ready, if any is; the others leave as many as may be wanted for such. */
  #spareFor(name: string, { isPatient = false }: LaneWish): Lane | undefined {
    const readyFirst = [...this.#spares].sort((one, other) => Number(other.isReady) - Number(one.isReady))
    const kept = this.#options.isApart(name) ? Math.max(this.#vacant.size, isPatient ? 1 : 0) : 0
    return readyFirst.length > kept ? readyFirst.at(isPatient ? -1 : 0) : undefined
  }

  #start(name: string, isTrusted: boolean): Lane {
    if (this.isDisposed) throw new Error('the sandbox has stopped')
    const { log, isApart } = this.#options
    const onDeath = (death: LaneDeath<Lane>): void => this.#died(death, isTrusted)
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
    if (this.isDisposed || !this.#keepsSpares) return
    const pause = Math.max(this.#pausedUntil, this.#calmFrom) - Date.now()
    if (pause > 0) {
      this.#timer = setTimeout(() => this.#fill(), pause).unref()
      return
    }
    while (this.#spares.size < this.#options.spares) this.#spares.add(this.#start('spare', false))
  }

  #died(death: LaneDeath<Lane>, isTrusted: boolean): void {
    const { lane, reason } = death
    const { name } = lane
    this.#spares.delete(lane)
    if (reason !== 'dispose' && this.#lanes.get(name) === lane && lane.isReady) {
      this.#calmFrom = Date.now() + (this.#options.calmMs ?? afterDeathMs)
      if (!this.#options.isApart(name) && !isTrusted) this.#vacant.add(name)
    }
    if (!lane.isReady) {
      this.#pausedUntil = Date.now() + Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs)
    }
    this.#options.onDeath(death)
    this.#fill()
  }
}
