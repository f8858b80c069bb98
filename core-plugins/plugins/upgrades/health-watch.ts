import { AppError } from '#kernel'
import { OperationInProgressError } from '../errors.ts'
import { PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import type { RunningState } from '../running/running-state.ts'
import { giveUp } from './give-up.ts'
import type { ReleaseCounts } from './release-counts.ts'
import { endWatch, WatchRow } from './watches.ts'

const MOST_KILLS = 3
const ERRORS_OF_AT_LEAST = 10
const ERROR_SHARE = 0.5

const none: ReadonlySet<string> = new Set()

/** Looks after new releases: what all hosts count of one stands in the database, and whoever sees that it does badly takes it back. */
export class HealthWatch {
  readonly #parts: Parts
  readonly #counts: ReleaseCounts
  readonly #state: Pick<RunningState, 'plugins'>
  /** What was wanted when nothing was watched: a watch begins with a change of that. */
  #quiet: RunningState['plugins'] | undefined

  constructor(parts: Parts, counts: ReleaseCounts, state: Pick<RunningState, 'plugins'>) {
    this.#parts = parts
    this.#counts = counts
    this.#state = state
  }

  /** Adds what was counted here, and judges; asks nobody while there is nothing to watch. */
  async look(): Promise<void> {
    const { db } = this.#parts
    const wanted = this.#state.plugins
    // What is counted while nothing is watched is no release's on trial.
    if (wanted === this.#quiet) return void this.#counts.take(none)
    const watches = await WatchRow.with(db)
    if (watches.length === 0) {
      this.#quiet = wanted
      return void this.#counts.take(none)
    }
    const plugins = await PluginRow.with(db).findByIds(watches.map(({ pluginId }) => pluginId))
    const counts = this.#counts.take(new Set(plugins.map(({ name }) => name)))
    for (const plugin of plugins) {
      const watch = watches.find(({ pluginId }) => pluginId === plugin.id)
      const count = counts.find((one) => one.plugin === plugin.name)
      if (!watch) continue
      if (count) {
        const { calls, errors, kills } = count
        await db('plugin_watches')
          .where({ plugin_id: plugin.id, operation_id: watch.operationId })
          .update({
            calls: db.raw('calls + ?', [calls]),
            errors: db.raw('errors + ?', [errors]),
            kills: db.raw('kills + ?', [kills]),
          })
      }
      await this.#judge(plugin, (await WatchRow.with(db).findById(plugin.id)) ?? watch)
    }
  }

  async #judge(plugin: PluginRow, watch: WatchRow): Promise<void> {
    const { db, log } = this.#parts
    if (plugin.activeRelease !== watch.toRelease || plugin.removing) return endWatch(db, watch)
    const reason = watch.reason ?? faultOf(watch)
    if (reason === undefined) return watch.until < new Date() ? endWatch(db, watch) : undefined
    // Kept, so that whoever comes after this host goes on with it.
    await WatchRow.with(db).where({ plugin_id: plugin.id, operation_id: watch.operationId }).patch({ reason })
    try {
      await giveUp(this.#parts, plugin, Object.assign(watch, { reason }))
    } catch (error) {
      // Another host is at it, or the upgrade itself has not ended.
      if (error instanceof OperationInProgressError) return
      const about = { plugin: plugin.name, reason }
      if (error instanceof AppError) log.warn({ ...about, err: error }, 'a release is taken back later')
      else throw error
    }
  }
}

function faultOf({ calls, errors, kills }: WatchRow): string | undefined {
  if (kills >= MOST_KILLS) return `It brought its sandbox down ${kills} times within a minute`
  if (calls < ERRORS_OF_AT_LEAST || errors <= calls * ERROR_SHARE) return undefined
  return `${errors} of its first ${calls} calls failed`
}
