import type { Knex } from 'knex'
import type { Logger } from '../log.ts'
import { ChangeVersions } from './change-versions.ts'
import { tenantContext } from './tenant-context.ts'

/** Hears whose data of a kind changed, or `all` where that is not known; it forgets before it returns, so that no reader comes between. */
export type ChangeListener = (subjects: readonly string[] | 'all') => void

/** What changed in the database, on whichever host, also when every word on the bus was lost. */
export interface Changes {
  /** Listens until the result is disposed. */
  on(kind: string, listener: ChangeListener): Disposable
  /**
   * A part of a key in the shared cache, another one after each change: what was loaded before a change is never found by a host
   * that heard of it, also when it is stored late or Redis comes back with what it had.
   */
  version(kind: string, subject: string): string
}

/** How often a host asks, in milliseconds. */
const lookEvery = 1000
/** A host that asked longer ago cannot rely on what is still noted. */
const lostAfter = 5 * 60_000
const pruneEvery = 10 * 60_000
const mostRows = 20_000

type Row = readonly [id: number, kind: string, subject: string]

interface Look {
  /** The snapshot of this look. */
  readonly snapshot: string
  /** Whether the database has not gone back behind the last look, as one from a backup has. */
  readonly goes_on: boolean
  readonly rows: readonly Row[]
}

/**
 * Reads each second, in one query, which changes became visible since the last look. Neither ids nor times could tell that: a
 * transaction that began early may commit late, behind a reader that has seen later ones. Snapshots can: what is noted carries the
 * id of its transaction, and news is what the snapshot of the last look did not show and this one does. Nothing waits for anybody.
 */
export class ChangeFeed implements Changes, AsyncDisposable {
  readonly #db: Knex
  readonly #log: Logger
  readonly #listeners = new Map<string, Set<ChangeListener>>()
  readonly #versions = new ChangeVersions()
  #last: { readonly snapshot: string; readonly at: number } | undefined
  #pruned: { readonly snapshot: string; readonly at: number } | undefined
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  constructor(db: Knex, log: Logger) {
    this.#db = db
    this.#log = log
  }

  on(kind: string, listener: ChangeListener): Disposable {
    const entry: ChangeListener = (subjects) => listener(subjects)
    const listeners = this.#listeners.get(kind) ?? new Set()
    this.#listeners.set(kind, listeners.add(entry))
    return { [Symbol.dispose]: () => void listeners.delete(entry) }
  }

  version(kind: string, subject: string): string {
    return this.#versions.of(kind, subject)
  }

  /** Hears what is noted already, which may be younger than what Redis has, and goes on each second. */
  async start(): Promise<void> {
    await this.look()
    this.#timer = setInterval(() => void this.look(), lookEvery).unref()
  }

  /** Asks now; who asks while a look is under way waits for that one. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  /** Makes every listener forget everything. */
  forgetAll(): void {
    for (const kind of this.#listeners.keys()) this.#tell(kind, 'all')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    try {
      const began = Date.now()
      const { snapshot, goes_on: goesOn, rows } = await this.#read()
      const isLost = this.#last !== undefined && (!goesOn || began - this.#last.at > lostAfter)
      this.#last = { snapshot, at: began }
      if (isLost || rows.length > mostRows) this.#lose()
      else this.#hear(rows)
      await this.#prune(snapshot)
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'What changed on other hosts cannot be read')
      this.#isFailing = true
    }
  }

  async #read(): Promise<Look> {
    const last = this.#last?.snapshot ?? null
    const asked = this.#db.raw<{ rows: [Look] }>(
      `select pg_current_snapshot()::text as snapshot,
              coalesce(pg_snapshot_xmax(pg_current_snapshot()) >= pg_snapshot_xmax(last), true) as goes_on,
              (select coalesce(json_agg(json_build_array(id, kind, subject) order by id), '[]')
                 from (select id, kind, subject from changes
                        where last is null
                           or (xid >= pg_snapshot_xmin(last) and not pg_visible_in_snapshot(xid, last))
                        limit ?) as news) as rows
         from (select ?::pg_snapshot as last) as before`,
      [mostRows + 1, last],
    )
    // The table has no tenants. Most of what each host asks now and then concerns all of them: so the connection is told of none.
    const { rows } = await asked.queryContext(tenantContext('all'))
    return rows[0]
  }

  #hear(rows: readonly Row[]): void {
    for (const [id, kind, subject] of rows) this.#versions.set(kind, subject, id)
    for (const [kind, news] of Map.groupBy(rows, ([, kind]) => kind)) {
      this.#tell(kind, [...new Set(news.map(([, , subject]) => subject))])
    }
  }

  #lose(): void {
    this.#versions.lose()
    this.forgetAll()
  }

  #tell(kind: string, subjects: readonly string[] | 'all'): void {
    for (const listener of this.#listeners.get(kind) ?? []) {
      try {
        listener(subjects)
      } catch (error) {
        this.#log.error({ err: error, kind }, 'a listener of changes failed')
      }
    }
  }

  /**
   * Deletes what was there ten minutes ago, which every host has read that still relies on it; and what is of transactions that
   * are yet to come, which came with a backup of another server.
   */
  async #prune(snapshot: string): Promise<void> {
    const now = performance.now()
    if (this.#pruned && now - this.#pruned.at < pruneEvery) return
    const before = this.#pruned?.snapshot ?? null
    this.#pruned = { snapshot, at: now }
    await this.#db.raw(
      `delete from changes where id in (
         select id from changes
          where xid < pg_snapshot_xmin(?::pg_snapshot) or xid >= pg_snapshot_xmax(pg_current_snapshot())
            for update skip locked)`,
      [before],
    )
  }
}
