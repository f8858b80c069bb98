import { AppError, type Locks, type Logger } from '#kernel'
import type { Knex } from 'knex'
import type { ConfigReader } from '../../config/contract.ts'
import { SourceUnavailableError } from '../errors.ts'
import { SourceRow } from './models.ts'
import { pruneSourceFiles } from './source-cache.ts'
import { getSource } from './source-service.ts'
import type { SourceSet } from './source-set.ts'

/** What looking at sources stands on. */
interface SourceRefresherParts {
  readonly db: Knex
  readonly locks: Locks
  readonly log: Logger
  readonly settings: ConfigReader
  readonly sources: SourceSet
  /** Tells every host that something about a source is another. */
  readonly onChange: (source: string) => Promise<void>
}

/** A source that did not answer with what holds. */
interface SourceFault {
  readonly source: string
  readonly code: number
  readonly reason: string
  readonly message: string
}

/** One host reads a source at a time; who asks meanwhile waits so long for what it finds. */
const patienceMilliseconds = 60_000
const minute = 60_000

/** Looks at the sources: each as often as the platform says, by one host for all. */
export class SourceRefresher {
  readonly #parts: SourceRefresherParts
  /** By source: the look that goes on, and the one that all who asked meanwhile wait for. */
  readonly #looks = new Map<string, { readonly now: Promise<void>; next?: Promise<void> }>()

  constructor(parts: SourceRefresherParts) {
    this.#parts = parts
  }

  /** Looks at every source that is due; a source that fails keeps what it had. */
  async refreshDue(): Promise<void> {
    const { sources, log } = this.#parts
    await Promise.all(
      sources.all.map(({ row: { id } }) =>
        this.refresh(id, { force: false }).catch((error: unknown) => {
          log.warn({ err: error, source: id }, 'a source of plugins could not be looked at')
        }),
      ),
    )
  }

  /** Looks at every source now; answers those that did not answer with what holds. */
  async refreshAll(): Promise<readonly SourceFault[]> {
    const ids = this.#parts.sources.all.map(({ row }) => row.id)
    const failures = await Promise.all(
      ids.map((source) =>
        this.refreshNow(source).then(
          () => [],
          (error: unknown) => {
            if (!(error instanceof AppError)) throw error
            return [{ source, code: error.code, reason: error.reason, message: error.message }]
          },
        ),
      ),
    )
    return failures.flat()
  }

  /** Looks at one source, or with `force` unset finds that another host has. */
  async refresh(id: string, { force }: { readonly force: boolean }): Promise<void> {
    const { locks, onChange } = this.#parts
    if (!force && !(await this.#isDue(id))) return
    const isRead = await locks.withLock(`plugins.source.${id}`, (signal) => this.#read(id, force, signal), {
      waitMs: patienceMilliseconds,
    })
    if (isRead) await onChange(id)
  }

  /** Looks at a source now; throws 502/5023 when it does not answer with what holds. */
  async refreshNow(id: string): Promise<void> {
    const { db } = this.#parts
    await getSource(db, id)
    await this.#look(id)
    const { lastError } = await getSource(db, id)
    if (!lastError) return
    const { reason, message, at } = lastError
    throw new SourceUnavailableError({ source: id, why: message }, { details: { reason, at } })
  }

  /** Deletes what nobody looked at for long. */
  async sweep(): Promise<void> {
    await pruneSourceFiles(this.#parts.db)
  }

  /** Who asks while a look goes on shares the next one, which sees what was published meanwhile. */
  #look(id: string): Promise<void> {
    const going = this.#looks.get(id)
    if (going) return (going.next ??= going.now.then(() => this.#look(id)))
    const look = this.refresh(id, { force: true })
    const entry = { now: look.catch(() => undefined).finally(() => this.#looks.delete(id)) }
    this.#looks.set(id, entry)
    return look
  }

  async #read(id: string, force: boolean, signal: AbortSignal): Promise<boolean> {
    const { db, sources } = this.#parts
    await sources.follow()
    const open = sources.find(id)
    if (!open || (!force && !(await this.#isDue(id)))) return false
    const { url, unsigned, rootFingerprint } = open.row
    const state = await open.index.refresh({ force: true, signal })
    const { expires, refreshedAt, failure } = state
    await SourceRow.with(db)
      // Another address or root meanwhile is another source: what was read says nothing of it, and a new pin stays as it is.
      .where({ id, url, unsigned })
      .whereRaw('root_fingerprint is not distinct from ?', [rootFingerprint])
      .patch({
        checkedAt: new Date(),
        expires: expires === undefined ? null : new Date(expires),
        refreshedAt: refreshedAt === undefined ? null : new Date(refreshedAt),
        rootFingerprint: state.rootFingerprint ?? rootFingerprint,
        lastError: failure ?? null,
      })
    return true
  }

  async #isDue(id: string): Promise<boolean> {
    const { db, settings } = this.#parts
    const row = await SourceRow.with(db).findById(id)
    if (!row?.enabled) return false
    const minutes = await settings.get<number>('marketplace_refresh_minutes')
    return row.checkedAt === null || row.checkedAt.getTime() + minutes * minute <= Date.now()
  }
}
