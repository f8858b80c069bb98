import type { Logger, PluginHost } from '#kernel'
import { sandboxLimits, type Release, type Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import { currentGeneration, readDesired, type DesiredPlugin } from './desired-state.ts'
import { HostFaults, type HostFault } from './host-faults.ts'
import type { Hosts } from './hosts.ts'
import type { LicenceSlot } from './licence-slot.ts'
import type { PluginLoader } from './plugin-loader.ts'
import { isWanted, type RunningState } from './running-state.ts'

/** Loads at once; more would only wait for the same disk. */
const parallelLoads = 4

/** What is wanted of every plugin, by name. */
export type Wanted = ReadonlyMap<string, DesiredPlugin>

interface Running {
  readonly plugin: DesiredPlugin
  readonly release: Release | undefined
}

/** What a converger stands on. */
interface ConvergerParts {
  readonly db: Knex
  readonly log: Logger
  readonly host: PluginHost
  readonly hosts: Hosts
  readonly state: RunningState
  readonly licences: Pick<LicenceSlot, 'read'>
  readonly loader: PluginLoader
  readonly sandbox: Pick<Sandbox, 'drain' | 'retire'>
  /** Told what is wanted before anything is stopped or started for it. */
  readonly onWanted: (wanted: Wanted) => Promise<void>
}

/** Makes this host run what is wanted: started by a word on the bus, and now and then in case a word was lost. */
export class Converger implements AsyncDisposable {
  readonly #parts: ConvergerParts
  /** What runs here, as it was wanted when it was started, and what was loaded for it. */
  readonly #running = new Map<string, Running>()
  /** Work that goes on after a plugin was stopped: its last calls, then its files if it is gone. */
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #faults = new HostFaults()
  #generation = -1
  /** How often everything was to be read anew, and as of which time it was. */
  #rereads = 0
  #reread = 0
  #pass: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #isStopped = false

  constructor(parts: ConvergerParts) {
    this.#parts = parts
  }

  /** Resolves when this host runs what was wanted at the time of the call; callers who wait share a pass. */
  converge(): Promise<void> {
    this.#next ??= this.#pass
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#pass = this.#isStopped ? Promise.resolve() : this.#follow()
        return this.#pass
      })
    return this.#next
  }

  /** The same with everything read anew. */
  reread(): Promise<void> {
    this.#rereads += 1
    return this.converge()
  }

  /** What this host could not start. */
  get faults(): readonly HostFault[] {
    return this.#faults.list()
  }

  /** Whether each plugin that is wanted was started, or tried once. */
  get hasFollowed(): boolean {
    return this.#generation >= 0
  }

  /** How many plugins run here. */
  get count(): number {
    return this.#running.size
  }

  /** Tries again what this host could not start, when it is time. */
  async retry(): Promise<void> {
    if (this.#faults.due().size > 0) await this.converge()
  }

  /** Stops every plugin this host runs and takes the host off the list. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    await this.#pass.catch(() => undefined)
    for (const name of this.#running.keys()) await this.#parts.host.disable(name)
    this.#running.clear()
    await this.#parts.hosts.leave()
  }

  async #follow(): Promise<void> {
    const { db, state, licences } = this.#parts
    // Read before the plugins: what runs is then at least as new as what is reported.
    const generation = await currentGeneration(db)
    const due = this.#faults.due()
    const rereads = this.#rereads
    const isStale = rereads !== this.#reread
    if (generation === this.#generation && due.size === 0 && !isStale) return this.#report()
    const before = state.plugins
    const wanted = await readDesired(db, licences, isStale ? new Map() : before)
    this.#reread = rereads
    this.#holdGates(wanted)
    state.replace(wanted)
    await this.#parts.onWanted(wanted)
    await this.#stopUnwanted(wanted)
    this.#endGated(before, wanted)
    this.#forgetGone(before, wanted)
    await this.#startWanted([...wanted.values()].filter(isWanted), due)
    this.#tidyChanged(before, wanted)
    this.#generation = generation
    await this.#report()
  }

  async #report(): Promise<void> {
    await this.#parts.hosts.report({
      generation: this.#generation,
      plugins: [...this.#running].map(([name, { release }]) => ({ name, version: release?.version ?? null })),
      faults: this.#faults.list(),
      leaving: [...this.#leaving.keys()],
    })
  }

  async #stopUnwanted(wanted: Wanted): Promise<void> {
    for (const [name, { plugin: started }] of this.#running) {
      const plugin = wanted.get(name)
      if (plugin?.id === started.id && isWanted(plugin)) continue
      await this.#stop(name)
    }
    for (const name of this.#faults.names) {
      const plugin = wanted.get(name)
      if (!plugin || !isWanted(plugin)) this.#faults.forget(name)
    }
  }

  async #stop(name: string): Promise<void> {
    this.#running.delete(name)
    await this.#parts.host.disable(name)
    this.#leave(name, () => this.#parts.sandbox.drain(name, sandboxLimits.wallMs.max))
  }

  /** A gate that opens with another release opens here when that has come, and not for the one before. */
  #holdGates(wanted: Wanted): void {
    const { state } = this.#parts
    for (const [name, { plugin: running }] of this.#running) {
      const plugin = wanted.get(name)
      if (!plugin || !isWanted(plugin)) state.release(name)
      else if (state.isGated(name) && plugin.gate === null && !isSame(running, plugin)) state.hold(name)
    }
  }

  /** Calls that came in before a gate was closed end, or are ended: what comes behind it finds nobody in the tables. */
  #endGated(before: Wanted, wanted: Wanted): void {
    for (const [name, { gate }] of wanted) {
      if (gate === null || before.get(name)?.gate === gate || !this.#running.has(name)) continue
      this.#leave(name, () => this.#parts.sandbox.drain(name, sandboxLimits.wallMs.max))
    }
  }

  /** Releases that are kept no more go from every host. */
  #tidyChanged(before: Wanted, wanted: Wanted): void {
    const { loader, log } = this.#parts
    // A host that has just started sweeps anyway.
    if (before.size === 0) return
    const names = [...wanted.values()].filter(({ name, generation }) => before.get(name)?.generation !== generation)
    loader.tidy(names.map(({ name }) => name)).catch((error: unknown) => {
      log.warn({ err: error }, 'releases that are kept no more could not be deleted')
    })
  }

  #forgetGone(before: Wanted, wanted: Wanted): void {
    for (const [name, { id }] of before) {
      if (wanted.get(name)?.id !== id) this.#leave(name, () => this.#parts.loader.forget(name))
    }
  }

  /** Adds work after what is left to be done for a plugin; the other hosts learn when all of it is done. */
  #leave(name: string, work: () => Promise<void>): void {
    const { log } = this.#parts
    const leaving = (this.#leaving.get(name) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => log.error({ err: error, plugin: name }, 'a plugin was not left behind cleanly'))
      .then(async () => {
        if (this.#leaving.get(name) !== leaving) return
        this.#leaving.delete(name)
        if (!this.#isStopped) await this.#report()
      })
      .catch((error: unknown) => log.warn({ err: error }, 'this host could not report'))
    this.#leaving.set(name, leaving)
  }

  /** What failed waits for its time, unless something else is wanted of it now. */
  async #startWanted(wanted: readonly DesiredPlugin[], due: ReadonlySet<string>): Promise<void> {
    const waiting = wanted.filter(
      (plugin) => !isSame(this.#running.get(plugin.name)?.plugin, plugin) && this.#faults.isDue(plugin, due),
    )
    const queue = waiting.values()
    const work = async () => {
      for (const plugin of queue) await this.#start(plugin)
    }
    await Promise.all(Array.from({ length: Math.min(parallelLoads, waiting.length) }, work))
  }

  /**
   * One that cannot be loaded is the only one that does not run. Of one that runs already the release before goes on, unless that
   * holds rights that it has no more.
   */
  async #start(plugin: DesiredPlugin): Promise<void> {
    const { host, loader, log, state } = this.#parts
    const { name } = plugin
    const before = this.#running.get(name)
    try {
      // What was stopped ends first; a release in whose place another one comes goes on meanwhile.
      if (!before) await this.#leaving.get(name)
      await host.replace(await loader.load(plugin))
      state.release(name)
      const release = loader.find(name)?.release
      this.#running.set(name, { plugin, release })
      this.#faults.mended(name)
      const replaced = before?.release
      if (replaced && replaced.treeHash !== release?.treeHash) this.#retire(replaced)
    } catch (error) {
      const isNews = this.#faults.note(plugin, error)
      log[isNews ? 'error' : 'debug']({ err: error, plugin: name }, 'a plugin could not be started')
      await loader.reportFault(plugin, error)
      if (before && (await loader.holdsMoreThan(plugin))) await this.#stop(name)
    }
  }

  /** The calls in flight end on the release that they began with; a longer wait than theirs is nobody's. */
  #retire(release: Release): void {
    this.#leave(release.name, () => this.#parts.sandbox.retire(release, sandboxLimits.wallMs.max))
  }
}

/** Nothing has to be loaded anew. */
function isSame(running: DesiredPlugin | undefined, wanted: DesiredPlugin): boolean {
  return running?.id === wanted.id && running.releaseId === wanted.releaseId && running.epoch === wanted.epoch
}
