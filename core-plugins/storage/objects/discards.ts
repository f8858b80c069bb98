import type { Knex } from 'knex'
import { Discard, SnapshotRow, StorageObject } from '../models.ts'
import { ByteHolds } from './byte-holds.ts'
import type { Place } from './stored-rows.ts'

/** What is taken up to be deleted, and so is nobody else's for a while. */
const leaseMs = 15 * 60_000
/** Longer than any put takes. */
const putMs = 24 * 3_600_000

/** Remembers bytes that may have to be deleted, where the driver cannot list what it has. */
export class Discards {
  readonly #db: Knex
  readonly holds: ByteHolds

  constructor(db: Knex) {
    this.#db = db
    this.holds = new ByteHolds(db)
  }

  /** Before a put: what a crash leaves of it is deleted a day later. */
  begin(place: Place): Promise<void> {
    return this.note(place, putMs)
  }

  /** After a put, when a row knows the bytes or they are deleted already. */
  async end({ location }: Pick<Place, 'location'>): Promise<void> {
    await Discard.with(this.#db).deleteById(location)
  }

  /** After several were deleted. */
  async endAll(locations: readonly string[]): Promise<void> {
    if (locations.length > 0)
      await Discard.with(this.#db)
        .whereIn('location', [...locations])
        .delete()
  }

  /** Bytes to be deleted after so many milliseconds. */
  async note({ storageRef, location }: Place, milliseconds: number): Promise<void> {
    const dueAt = new Date(Date.now() + milliseconds)
    await Discard.with(this.#db).insert({ storageRef, location, dueAt }).onConflict('location').merge(['due_at'])
  }

  /** Takes some of what is due, and nothing while bytes are held; what no row knows is for the caller to delete and then to `end`, and `isAll` when there was no more. */
  async take(limit: number): Promise<{ readonly places: readonly Place[]; readonly isAll: boolean }> {
    const taken = await this.#db.transaction(async (trx) => {
      const due = await Discard.with(trx).where('due_at', '<=', new Date()).limit(limit).forUpdate().skipLocked()
      const locations = due.map(({ location }) => location)
      if (due.length > 0) {
        await Discard.with(trx)
          .whereIn('location', locations)
          .patch({ dueAt: new Date(Date.now() + leaseMs) })
      }
      return due
    })
    const locations = taken.map(({ location }) => location)
    const objects = await StorageObject.acrossTenants(this.#db).select('location').whereIn('location', locations)
    const snapshots = await SnapshotRow.acrossTenants(this.#db).select('location').whereIn('location', locations)
    const kept = [...objects, ...snapshots].map(({ location }) => location)
    await Discard.with(this.#db).delete().whereIn('location', kept)
    if (await this.holds.any()) return { places: [], isAll: true }
    const places = taken.filter(({ location }) => !kept.includes(location))
    return { places, isAll: taken.length < limit }
  }
}
