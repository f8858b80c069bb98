import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import type { StorageVolumes } from '../contract.ts'
import { SnapshotRow, StorageObject, StorageVolumeRow } from '../models.ts'
import type { ByteHolds } from './byte-holds.ts'
import { eachInParallel } from './in-parallel.ts'
import type { Place } from './stored-rows.ts'

const kind = 'storage.discard'
/** The driver whose places are swept. */
const listed = 'local'
/** Longer than any put takes. */
const putMs = 24 * 3_600_000
/** Bytes are deleted right after their rows; where that did not come about a crash came between. */
const crashMs = 10 * 60_000
/** Bytes that somebody holds are looked at again so often. */
const heldMs = 60_000
/** Places of one job. */
const batch = 500
/** More than a week, with an hour between two of them; what is given up then can be tried again by an administrator. */
const attempts = 200
/** A step of an operation waits so long for its bytes to go, which they do later all the same. */
const patienceMs = 30_000

/** What discards stand on. */
interface DiscardParts {
  readonly db: Knex
  readonly jobs: Jobs
  readonly holds: ByteHolds
  readonly volumes: StorageVolumes
}

interface Payload {
  readonly places: readonly Place[]
  /** A put to them may have ended half way. */
  readonly isOfPut?: boolean
}

/** Has the queue delete bytes that no row knows. */
export class Discards {
  readonly #parts: DiscardParts

  constructor(parts: DiscardParts) {
    this.#parts = parts
  }

  get kind(): JobKind<Payload> {
    return { kind, attempts, concurrency: 16, keepSeconds: 0, run: (job) => this.#run(job) }
  }

  /** Before a put, where the driver cannot list what it has: what a crash leaves of it is deleted a day later. */
  async begin(place: Place): Promise<void> {
    const { db, jobs } = this.#parts
    const options = { dedupe: place.location, delay: putMs }
    await db.transaction((trx) => jobs.enqueue(trx, kind, { ...payloadOf([place]), isOfPut: true }, options))
  }

  /** After a put, when a row knows the bytes or they are deleted already. */
  async end({ location }: Pick<Place, 'location'>): Promise<void> {
    const { db, jobs } = this.#parts
    await db.transaction((trx) => jobs.withdraw(trx, kind, location))
  }

  /** Bytes to be deleted once the transaction holds, unless a row knows them then. */
  async note(trx: Knex.Transaction, places: readonly Place[]): Promise<void> {
    const parts = Array.from({ length: Math.ceil(places.length / batch) }, (_, n) =>
      places.slice(n * batch, (n + 1) * batch),
    )
    if (parts.length === 0) return
    await this.#parts.jobs.enqueueAll(
      trx,
      kind,
      parts.map((part) => ({ payload: payloadOf(part) })),
    )
  }

  /**
   * In the transaction in which rows go whose bytes are deleted right after it: what a crash leaves of those that no driver could list is
   * deleted later. Answers what is to be taken back when they are gone.
   */
  async noteUnlisted(
    trx: Knex.Transaction,
    rows: readonly (Place & Pick<StorageObject, 'driver'>)[],
  ): Promise<readonly string[]> {
    const names: string[] = []
    const places = rows.filter(({ driver }) => driver !== listed)
    for (let at = 0; at < places.length; at += batch) {
      const name = randomUUID()
      const options = { dedupe: name, delay: crashMs }
      await this.#parts.jobs.enqueue(trx, kind, payloadOf(places.slice(at, at + batch)), options)
      names.push(name)
    }
    return names
  }

  /** Takes back what was noted of bytes that are gone, or that the queue has been told of by now. */
  async takeBack(names: readonly string[]): Promise<void> {
    const { db, jobs } = this.#parts
    if (names.length === 0) return
    await db.transaction(async (trx) => {
      for (const name of names) await jobs.withdraw(trx, kind, name)
    })
  }

  /** Waits for what is being deleted; what fails or is held is not waited for. */
  settle(): Promise<void> {
    return this.#parts.jobs.settle(kind, patienceMs)
  }

  async #run(job: RunningJob<Payload>): Promise<void> {
    const { db, jobs, holds, volumes } = this.#parts
    const { isOfPut = false } = job.payload
    const places = await this.#unknown(job.payload.places)
    if (places.length === 0) return
    if (await holds.any()) {
      await db.transaction((trx) => jobs.enqueue(trx, kind, { ...payloadOf(places), isOfPut }, { delay: heldMs }))
      return
    }
    const faults: unknown[] = []
    await eachInParallel(places, async ({ storageRef, location }) => {
      try {
        const { volume } = await volumes.byRef(storageRef)
        await volume.delete(location)
        if (isOfPut) await volume.forgetUnfinished?.(location)
      } catch (error) {
        faults.push(error)
      }
    })
    if (faults.length > 0) throw new Error(`The bytes of ${faults.length} places are still there`, { cause: faults[0] })
  }

  /** Those that neither an object nor a snapshot has, in storages that are still known: a tenant's own go with the tenant. */
  async #unknown(places: readonly Place[]): Promise<readonly Place[]> {
    const { db } = this.#parts
    const locations = places.map(({ location }) => location)
    const objects = await StorageObject.acrossTenants(db).select('location').whereIn('location', locations)
    const snapshots = await SnapshotRow.acrossTenants(db).select('location').whereIn('location', locations)
    const known = new Set([...objects, ...snapshots].map(({ location }) => location))
    const refs = [...new Set(places.map(({ storageRef }) => storageRef))].filter((ref) => ref !== 'local')
    const volumes = await StorageVolumeRow.acrossTenants(db).select('id').whereIn('id', refs)
    const reachable = new Set(['local', ...volumes.map(({ id }) => id)])
    return places.filter(({ storageRef, location }) => reachable.has(storageRef) && !known.has(location))
  }
}

function payloadOf(places: readonly Place[]): Payload {
  return { places: places.map(({ storageRef, location }) => ({ storageRef, location })) }
}
