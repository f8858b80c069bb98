import { Admission } from './admission.ts'
import type { Call, Outcome, PoolStats, SandboxPool, SandboxPoolOptions, SandboxTrial } from '../wire/call.ts'
import { forsaken } from '../wire/outcome.ts'
import { createJail } from './jail.ts'
import { presentDeath, type LaneResult } from './kill.ts'
import { LaneSet } from './lane-set.ts'
import type { LaneDeath } from './lane-options.ts'
import type { Lane } from './lane.ts'
import { Penalties } from './penalties.ts'
import { loadProgram } from './program.ts'
import { residentBytes } from './resident-bytes.ts'
import { sharedLaneOf } from './shared-lane.ts'
import { isTrial, Trials } from './trials.ts'

const hourMs = 3_600_000
const laneMemoryMb = 300
/** When a host ends, one takes its place, and another holds a plugin that is under suspicion and may be innocent. */
const usualSpares = 2
const penalty = 'penalty-'
/** A call may share the death of a host that plugins share, and then that of one for those under suspicion. */
const mostAttempts = 3
/** A lane apart may be free before its time, when somebody else was seen to have done it. */
const longestLookMs = 10_000
/** Less than that is no time for another attempt. */
const shortestAttemptMs = 20
const nothing = { cpuMs: 0, wallMs: 0, hostCalls: 0 }

/** Makes the pool, which starts no host before it is warmed or called; it is told of every death, so that the breaker can count them. */
export async function createSandboxPool(options: SandboxPoolOptions): Promise<SandboxPool> {
  const program = await loadProgram()
  const found = await createJail(options.log, program.readable)
  const jail = options.capMemory === false ? { ...found, capMemory: () => Promise.resolve(false) } : found
  return new Pool(options, (onDeath) => {
    const { log, spares = usualSpares } = options
    const lanes = {
      ...{ program, jail },
      // Asked at every start, because it may be changed while the platform runs.
      get memoryMb() {
        return options.laneMemoryMb ?? laneMemoryMb
      },
    }
    const isApart = (name: string): boolean => name.startsWith(penalty) || isTrial(name)
    return new LaneSet(lanes, { log, spares, isApart, onDeath })
  })
}

class Pool implements SandboxPool {
  readonly #options: SandboxPoolOptions
  readonly #lanes: LaneSet
  readonly #admission = new Admission()
  readonly #penalties: Penalties
  readonly #kills: Record<string, number> = {}
  /** Running calls by release, for `drop` to wait for. */
  readonly #running = new Map<string, Set<Promise<Outcome>>>()
  /** When lanes apart are looked at again, by their place. */
  readonly #closing = new Map<number, NodeJS.Timeout>()
  readonly #trials: Trials

  constructor(options: SandboxPoolOptions, createLanes: (onDeath: (death: LaneDeath<Lane>) => void) => LaneSet) {
    this.#options = options
    const penaltyMs = options.penaltyMs ?? hourMs
    this.#penalties = new Penalties({ places: options.penaltyLanes ?? 4, penaltyMs, now: Date.now })
    this.#lanes = createLanes((death) => this.#died(death))
    this.#trials = new Trials(this.#lanes, async (starting, call) => present(await this.#enter(starting, call, true)))
  }

  async call(call: Call): Promise<Outcome> {
    const place = this.#admission.enter(call.code.plugin, call.tenant, call.limits)
    if (typeof place === 'string') return { ok: false, kind: 'limit', limit: place, ...nothing }
    const running = this.#run(call, place.mayWait)
    this.warm()
    const others = this.#running.get(call.code.id) ?? new Set<Promise<Outcome>>()
    this.#running.set(call.code.id, others.add(running))
    try {
      return await running
    } finally {
      place[Symbol.dispose]()
      others.delete(running)
      if (others.size === 0) this.#running.delete(call.code.id)
    }
  }

  warm(): void {
    this.#lanes.keepSpares()
  }

  trial(): SandboxTrial {
    return this.#trials.start(refuse('dispose'))
  }

  async drop(codeId: string, drainMs: number, signal?: AbortSignal): Promise<void> {
    if (!(await this.#drained(codeId, drainMs, signal))) return
    for (const lane of this.#lanes.lanes) {
      const left = lane.callsIn(codeId)
      if (left.length > 0) lane.kill('drain', left)
      else lane.drop(codeId)
    }
  }

  /** Waits for the calls of a release, those too that come meanwhile; false when the release is wanted again. */
  async #drained(codeId: string, drainMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const late = Promise.withResolvers<void>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late.resolve()
    }, drainMs)
    const giveUp = () => late.resolve()
    signal?.addEventListener('abort', giveUp)
    while (!isLate && !signal?.aborted && this.#running.has(codeId)) {
      await Promise.race([Promise.allSettled([...(this.#running.get(codeId) ?? [])]), late.promise])
    }
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    return !signal?.aborted
  }

  stats(): PoolStats {
    const lanes = this.#lanes.lanes.map((lane) => lane.stats())
    return {
      lanes: lanes.map((lane) => ({ ...lane, rssBytes: residentBytes(lane.pid) })),
      spares: this.#lanes.spares,
      running: sum(lanes.map(({ calls }) => calls)),
      queued: sum(lanes.map(({ queued }) => queued)),
      kills: { ...this.#kills },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#closing.values()) clearTimeout(timer)
    this.#trials[Symbol.dispose]()
    await this.#lanes[Symbol.asyncDispose]()
  }

  async #run(call: Call, mayWait: boolean): Promise<Outcome> {
    const patience = performance.now() + call.limits.wallMs
    let result = await this.#attempt(call, mayWait)
    // A host that died before the call's turn has nothing to do with it; the call waits on in the next one.
    while (isUntouched(result) && performance.now() < patience) result = await this.#attempt(call, true)
    let left: Call | undefined = call
    for (let attempts = 1; attempts < mostAttempts && isRetryable(result); attempts++) {
      left = withWhatIsLeft(left, result)
      if (!left) break
      result = await this.#attempt(left, true)
    }
    return present(result)
  }

  #attempt(call: Call, mayWait: boolean): Promise<LaneResult> {
    return this.#enter(this.#place(call), call, mayWait)
  }

  async #enter(starting: Promise<Lane>, call: Call, mayWait: boolean): Promise<LaneResult> {
    // Why a host does not start is logged once, where it is started.
    const lane = await starting.catch(() => undefined)
    if (call.isForsaken?.()) return { ...forsaken, ...nothing }
    return lane ? lane.call(call, mayWait) : refuse(this.#lanes.isDisposed ? 'dispose' : 'no_host')
  }

  #place({ code: { plugin, trusted } }: Call): Promise<Lane> {
    const apart = this.#penalties.placeOf(plugin)
    if (apart !== undefined) {
      this.#closeLater(apart)
      return this.#lanes.get(`${penalty}${apart}`, { isPatient: this.#penalties.isCertain(plugin) })
    }
    if (trusted) return this.#lanes.get('trusted', { isTrusted: true })
    return this.#lanes.get(sharedLaneOf(plugin, this.#options.lanes))
  }

  #died({ lane, reason, plugins, isCertain }: LaneDeath<Lane>): void {
    if (reason === 'dispose' || isTrial(lane.name)) return
    this.#kills[reason] = (this.#kills[reason] ?? 0) + 1
    if (reason === 'drain') return
    if (!isCertain && plugins.size > 0) this.#penalties.suspect(plugins)
    for (const plugin of plugins) {
      if (isCertain) this.#penalties.strike(plugin)
      this.#options.onKill?.({ plugin, reason, isCertain })
    }
  }

  /** A lane apart ends when its last plugin may go back to the others. */
  #closeLater(place: number): void {
    if (this.#closing.has(place)) return
    const timer = setTimeout(
      () => {
        this.#closing.delete(place)
        if (this.#penalties.isNeeded(place) || !this.#lanes.close(`${penalty}${place}`)) this.#closeLater(place)
      },
      Math.min(this.#penalties.leftMs(place), longestLookMs),
    ).unref()
    this.#closing.set(place, timer)
  }
}

function refuse(cause: string): Outcome {
  return { ok: false, kind: 'killed', cause, ...nothing }
}

function present(result: LaneResult): Outcome {
  return 'died' in result ? presentDeath(result) : result
}

/** The call was still waiting for its turn when its host died. */
function isUntouched(result: LaneResult): boolean {
  return 'died' in result && !result.hasBegun && result.blame === 'innocent' && result.died !== 'dispose'
}

/** Again, when the host died of something else and the handler cannot have changed anything yet. */
function isRetryable(result: LaneResult): boolean {
  if ('died' in result) return result.blame !== 'guilty' && !result.hasActed && result.died !== 'dispose'
  const isOthers = !result.ok && result.kind === 'killed' && (result.cause === 'memory' || result.cause === 'starved')
  return isOthers && result.hostCalls === 0
}

/** The caller waits no longer for all attempts than for one, and they get no more of the machine. */
function withWhatIsLeft(call: Call, result: LaneResult): Call | undefined {
  const { cpuMs, wallMs } = 'died' in result ? result.cost : result
  const limits = { ...call.limits, cpuMs: call.limits.cpuMs - cpuMs, wallMs: call.limits.wallMs - wallMs }
  return limits.cpuMs >= 1 && limits.wallMs >= shortestAttemptMs ? { ...call, limits } : undefined
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}
