import type { Knex } from 'knex'
import { ExpiringMap } from '#kernel'
import { Attachment } from '../models.ts'

/** Changes of records that decide who may have a file, by their ids; a deletion is one. */
export const recordsChanged = 'attachments.records'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const mostKept = 5_000
/** Should no word of a change come. */
const keptMs = 60_000

/**
 * Records as links ask for them, kept in this process until they change: this host forgets what it changes when the change holds, the others
 * hear of it within a second. What changes without being noted, as counts of downloads, may be older.
 */
export class KnownAttachments {
  readonly #db: Knex
  readonly #kept = new ExpiringMap<string, Attachment>(mostKept)
  /** Records that are being read, and whether one was forgotten meanwhile. */
  readonly #reads = new Map<string, { isOutdated: boolean; readonly row: Promise<Attachment | undefined> }>()

  constructor(db: Knex) {
    this.#db = db
  }

  /** The record with an id, whosever it is; never one that was forgotten before this was asked. */
  async find(given: string): Promise<Attachment | undefined> {
    const id = given.toLowerCase()
    return this.#kept.get(id) ?? (uuid.test(id) ? this.#read(id) : undefined)
  }

  /** Whether this is what is kept of its record. */
  has(attachment: Attachment): boolean {
    return this.#kept.get(attachment.id) === attachment
  }

  /** Forgets these; what is being read of them at the moment is not kept. */
  forget(ids: readonly string[] | 'all'): void {
    if (ids === 'all') this.#kept.clear()
    else for (const id of ids) this.#kept.delete(id)
    for (const id of ids === 'all' ? [...this.#reads.keys()] : ids) {
      const read = this.#reads.get(id)
      if (read) read.isOutdated = true
      this.#reads.delete(id)
    }
  }

  /** Forgets a record once a transaction that changes it holds. */
  forgetAfter(trx: Knex.Transaction, id: string): void {
    // Of one that was rolled back nothing has changed.
    void trx.executionPromise.then(
      () => this.forget([id]),
      () => undefined,
    )
  }

  async #read(id: string): Promise<Attachment | undefined> {
    const known = this.#reads.get(id)
    if (known) return known.row
    const read = { isOutdated: false, row: Attachment.acrossTenants(this.#db).findOne({ id }).execute() }
    this.#reads.set(id, read)
    try {
      const row = await read.row
      if (row && !read.isOutdated) this.#kept.set(id, row, keptMs)
      return row
    } finally {
      if (this.#reads.get(id) === read) this.#reads.delete(id)
    }
  }
}
