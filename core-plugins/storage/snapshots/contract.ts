import type { Readable } from 'node:stream'
import type { Knex } from 'knex'
import type { StorageUsage, StoredObject } from '../contract.ts'

/** An object as a snapshot remembers it. */
export interface SnapshotObject extends StoredObject {
  readonly tenantId: number
}

/**
 * Remembers what a namespace held at a moment. Nothing is copied: bytes never change where they lie, and they stay there for as long
 * as a snapshot knows them.
 */
export interface ObjectSnapshots {
  /** Remembers what a namespace of all tenants holds now; a snapshot of that name is replaced. */
  take(namespace: string, name: string): Promise<StorageUsage>
  /** Throws 500/5003 when bytes of a snapshot are gone or have another length. */
  verify(name: string): Promise<void>
  /** Gives a namespace what it held then, whatever it holds now; objects whose time is over meanwhile are left out. */
  restore(namespace: string, name: string, trx: Knex.Transaction): Promise<StorageUsage>
  /** Forgets a snapshot, as part of a transaction; bytes that nothing else knows are deleted later, or by `sweep`. */
  drop(name: string, trx: Knex.Transaction): Promise<void>
  /** Deletes bytes that nothing knows any more; what fails is tried again later. */
  sweep(): Promise<void>
  /** The names of all snapshots. */
  names(): Promise<readonly string[]>
  /** What a snapshot remembers, by tenant and key. */
  list(name: string): AsyncIterable<SnapshotObject>
  /** The bytes of an object in a snapshot; the caller reads them to their end or destroys them. */
  open(object: SnapshotObject, name: string): Promise<Readable>
}
