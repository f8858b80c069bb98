import type { Logger, PluginHost } from '#kernel'
import { LIMITS, type Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import { currentGeneration, readDesired, type DesiredPlugin } from './desired-state.ts'
import type { Hosts } from './hosts.ts'
import type { PluginLoader } from './plugin-loader.ts'
import { isWanted, type RunningState } from './running-state.ts'

/** Loads at once; more would only wait for the same disk. */
const PARALLEL_LOADS = 4

/** What is wanted of every plugin, by name. */
export type Wanted = ReadonlyMap<string, DesiredPlugin>

/** What a converger stands on. */
export interface ConvergerParts {
  readonly db: Knex
  readonly log: Logger
  readonly host: PluginHost
  readonly hosts: Hosts
  readonly state: RunningState
  readonly loader: PluginLoader
  readonly sandbox: Pick<Sandbox, 'drain' | 'reset'>
  /** Told what is wanted before anything is stopped or started for it. */
  readonly onWanted: (wanted: Wanted) => Promise<void>
}

/** Makes this host run what is wanted: started by a word on the bus, and now and then in case a word was lost. */
export class Converger implements AsyncDisposable {
  readonly #parts: ConvergerParts
  /** What runs here, as it was wanted when it was started. */
  readonly #running = new Map<string, DesiredPlugin>()
  /** Work that goes on after a plugin was stopped: its last calls, then its files if it is gone. */
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, string>()
  #generation = -1
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

  /** Stops every plugin this host runs and takes the host off the list. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    await this.#pass.catch(() => undefined)
    for (const name of this.#running.keys()) await this.#parts.host.disable(name)
    this.#running.clear()
    await this.#parts.hosts.leave()
  }

  async #follow(): Promise<void> {
    const { db, state } = this.#parts
    // Read before the plugins: what runs is then at least as new as what is reported.
    const generation = await currentGeneration(db)
    if (generation === this.#generation && this.#failures.size === 0) return this.#report()
    const before = state.plugins
    const wanted = await readDesired(db, before)
    state.replace(wanted)
    await this.#parts.onWanted(wanted)
    await this.#stopUnwanted(wanted)
    this.#forgetGone(before, wanted)
    await this.#startWanted([...wanted.values()].filter(isWanted))
    this.#generation = generation
    await this.#report()
  }

  async #report(): Promise<void> {
    const failures = Object.fromEntries(this.#failures)
    await this.#parts.hosts.report({ generation: this.#generation, failures, leaving: [...this.#leaving.keys()] })
  }

  async #stopUnwanted(wanted: Wanted): Promise<void> {
    for (const [name, started] of this.#running) {
      const plugin = wanted.get(name)
      const isSameRelease = plugin?.id === started.id && plugin.releaseId === started.releaseId && isWanted(plugin)
      if (isSameRelease && plugin.epoch === started.epoch) continue
      this.#running.delete(name)
      await this.#parts.host.disable(name)
      // Calls in flight end on the rights they began with when only those changed.
      if (!isSameRelease) this.#leave(name, () => this.#parts.sandbox.drain(name, LIMITS.wallMs.max))
    }
    for (const name of this.#failures.keys()) {
      const plugin = wanted.get(name)
      if (!plugin || !isWanted(plugin)) this.#failures.delete(name)
    }
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
      .finally(async () => {
        if (this.#leaving.get(name) !== leaving) return
        this.#leaving.delete(name)
        if (!this.#isStopped) await this.#report()
      })
      .catch((error: unknown) => log.warn({ err: error }, 'this host could not report'))
    this.#leaving.set(name, leaving)
  }

  async #startWanted(wanted: readonly DesiredPlugin[]): Promise<void> {
    const waiting = wanted.filter(({ name }) => !this.#running.has(name))
    const queue = waiting.values()
    const work = async () => {
      for (const plugin of queue) await this.#start(plugin)
    }
    await Promise.all(Array.from({ length: Math.min(PARALLEL_LOADS, waiting.length) }, work))
  }

  /** One that cannot be loaded is the only one that does not run. */
  async #start(plugin: DesiredPlugin): Promise<void> {
    const { host, loader, log, sandbox } = this.#parts
    const { name } = plugin
    try {
      await this.#leaving.get(name)
      // Whatever made it fail before, it begins anew.
      sandbox.reset(name)
      await host.enable(await loader.load(plugin))
      this.#running.set(name, plugin)
      this.#failures.delete(name)
    } catch (error) {
      log.error({ err: error, plugin: name }, 'a plugin could not be started')
      this.#failures.set(name, error instanceof Error ? error.message : String(error))
      await loader.reportFault(plugin, error)
    }
  }
}
