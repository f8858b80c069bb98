import { AppError, saidOf, type Said } from '#kernel'
import { OperationInProgressError } from '../shared/errors.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { WatchRow } from '../shared/models.ts'
import type { RunningState } from '../running/running-state.ts'
import { texts } from '../texts/texts.ts'
import { giveUp } from './give-up.ts'
import type { ReleaseCount, ReleaseCounts } from './release-counts.ts'
import { endWatch, listWatches, type Watched } from './watches.ts'

const mostKills = 3
const errorsOfAtLeast = 10
const errorShare = 0.5

/** Looks after new releases: what all hosts count of one stands in the database, and whoever sees that it does badly takes it back. */
export class HealthWatch {
  readonly #parts: ReleaseChangeNeeds
  readonly #counts: ReleaseCounts
  readonly #state: Pick<RunningState, 'plugins'>
  /** What was wanted when nothing was watched: a watch begins with a change of that. */
  #quiet: RunningState['plugins'] | undefined

  constructor(parts: ReleaseChangeNeeds, counts: ReleaseCounts, state: Pick<RunningState, 'plugins'>) {
    this.#parts = parts
    this.#counts = counts
    this.#state = state
  }

  /** Adds what was counted here, and judges; asks nobody while there is nothing to watch. */
  async look(): Promise<void> {
    const { db } = this.#parts
    const wanted = this.#state.plugins
    // What is counted while nothing is watched is no release's on trial.
    if (wanted === this.#quiet) return void this.#counts.take([])
    const watches = await listWatches(db)
    if (watches.length === 0) {
      this.#quiet = wanted
      return void this.#counts.take([])
    }
    const counts = this.#counts.take(watches)
    for (const watch of watches) {
      const count = counts.find(({ plugin }) => plugin === watch.name)
      const sums = count && (await this.#add(watch, count))
      await this.#judge(Object.assign(watch, sums))
    }
  }

  async #add({ pluginId, operationId }: WatchRow, { calls, errors, kills }: ReleaseCount): Promise<object | undefined> {
    const { db } = this.#parts
    const own = { plugin_id: pluginId, operation_id: operationId }
    const added = {
      calls: db.raw('calls + ?', [calls]),
      errors: db.raw('errors + ?', [errors]),
      kills: db.raw('kills + ?', [kills]),
    }
    const rows: object[] = await db('plugin_watches').where(own).update(added).returning(['calls', 'errors', 'kills'])
    return rows[0]
  }

  async #judge(watch: Watched): Promise<void> {
    const { db, log } = this.#parts
    const { pluginId, operationId, name } = watch
    if (watch.activeRelease !== watch.toRelease || watch.removing) return endWatch(db, watch)
    const said = watch.reason === null ? faultOf(watch) : saidOf(watch.reason, watch.reasonSaid)
    if (said === undefined) {
      return watch.until < new Date() ? endWatch(db, watch, { evenDoomed: false }) : undefined
    }
    const reason = { reason: said.words, reasonSaid: said }
    // Kept, so that whoever comes after this host goes on with it.
    await WatchRow.with(db).where({ plugin_id: pluginId, operation_id: operationId }).patch(reason)
    try {
      await giveUp(this.#parts, Object.assign(watch, reason))
    } catch (error) {
      // Another host is at it, or the upgrade itself has not ended.
      if (error instanceof OperationInProgressError) return
      const about = { plugin: name, reason: said.words }
      if (error instanceof AppError) log.warn({ ...about, err: error }, 'a release is taken back later')
      else throw error
    }
  }
}

function faultOf({ calls, errors, kills }: WatchRow): Said | undefined {
  if (kills >= mostKills) return texts.keep('notice.watch_kills', { kills })
  if (calls < errorsOfAtLeast || errors <= calls * errorShare) return undefined
  return texts.keep('notice.watch_errors', { errors, calls })
}
