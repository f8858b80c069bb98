import type { Readable } from 'node:stream'
import type { Knex } from 'knex'
import { defineEvent, defineService } from '#kernel'
import type { ByteRange, LinkOptions, StorageVolume } from './contract-drivers.ts'

export {
  type LinkOptions,
  type ByteRange,
  type StoredBytes,
  type VolumePutOptions,
  type MultipartUpload,
  type ImageProcess,
  type StorageVolume,
  type DriverConfig,
  type ConfigOwner,
  type StorageDriver,
  type StorageDrivers,
  storageDrivers,
} from './contract-drivers.ts'

/** What is known of a stored object. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly contentType: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly driver: string
  /** Names the place where the bytes lie; it never changes with the settings. */
  readonly storageRef: string
}

/** The most a store may hold; a put beyond it is refused with 429/4297. */
export interface StorageLimits {
  readonly objectBytes?: number
  readonly totalBytes?: number
  readonly objects?: number
}

/** What a put needs beside its content. */
export interface PutOptions {
  /** application/octet-stream unless said otherwise. */
  readonly contentType?: string
  /** What the name of the bytes ends in where they lie, so that whoever looks there knows what they are: small letters and digits, 16 at most. */
  readonly extension?: string
  /** The object is gone after so long. */
  readonly ttlSeconds?: number
  readonly limits?: StorageLimits
}

/** One page of objects, in the order of their keys. */
export interface ObjectPage {
  readonly items: readonly StoredObject[]
  readonly nextCursor: string | undefined
}

/** What a store or namespace holds. */
export interface StorageUsage {
  readonly bytes: number
  readonly objects: number
}

/** The objects of one namespace and tenant, apart from every other's. */
export interface ObjectStore {
  /** Stores or replaces an object, whole or not at all. A key is at most 512 bytes of path without empty, `.` or `..` segments. */
  put(key: string, content: Buffer | Readable, options?: PutOptions): Promise<StoredObject>
  /** An object with its content, or undefined; the caller reads the content to its end or destroys it. */
  get(
    key: string,
    options?: { readonly range?: ByteRange | undefined },
  ): Promise<{ readonly object: StoredObject; readonly content: Readable } | undefined>
  /** Writes an object over a file of this host, which is half written where that fails; undefined: there is no such object. */
  copyTo(key: string, file: string): Promise<StoredObject | undefined>
  stat(key: string): Promise<StoredObject | undefined>
  /** Whether there was such an object. */
  delete(key: string): Promise<boolean>
  /** 100 objects at most unless said otherwise, 1000 at the most. */
  list(options?: {
    readonly prefix?: string
    readonly cursor?: string | undefined
    readonly limit?: number
  }): Promise<ObjectPage>
  usage(): Promise<StorageUsage>
  /** A link that gives the object to whoever has it, for so long; throws 404/4040 when there is no such object. */
  signedUrl(key: string, ttlSeconds: number): Promise<string>
  /**
   * A link to where the bytes lie, for drivers that can make one; undefined where they come through the platform only, or when
   * there is no such object.
   */
  directUrl(key: string, options: LinkOptions): Promise<string | undefined>
  /** Where whoever likes reads the object, in places that have such an address; undefined where there is none, or no such object. */
  publicUrl(key: string): Promise<string | undefined>
}

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
  /** Forgets a snapshot, as part of a transaction; bytes that nothing else knows are deleted once it holds. */
  drop(name: string, trx: Knex.Transaction): Promise<void>
  /** Waits until bytes that nothing knows any more are deleted; what fails is tried again later. */
  sweep(): Promise<void>
  /** The names of all snapshots. */
  names(): Promise<readonly string[]>
  /** What a snapshot remembers, by tenant and key. */
  list(name: string): AsyncIterable<SnapshotObject>
  /** The bytes of an object in a snapshot; the caller reads them to their end or destroys them. */
  open(object: SnapshotObject, name: string): Promise<Readable>
}

/** Opens stores; tenant 0 is the platform. A namespace is a path such as `plugins/acme.reports`. */
export interface ObjectStorage {
  open(namespace: string, tenantId: number): ObjectStore
  readonly snapshots: ObjectSnapshots
  /** From now on no bytes are deleted on any host, until the result is disposed; objects come and go as ever. */
  hold(): Promise<AsyncDisposable>
  /** Deletes everything of a namespace, of all tenants; links to it are dead at once. */
  clear(namespace: string): Promise<StorageUsage>
  /** What a namespace holds, of all tenants. */
  usage(namespace: string): Promise<StorageUsage>
}

/** Keeps objects for plugins and features. */
export const objectStorage = defineService<ObjectStorage>('storage.objects')

/** A place where bytes lie, opened. */
export interface OpenVolume {
  /** Kept by whoever keeps a location, so that a change of the settings moves nothing. */
  readonly ref: string
  readonly driver: string
  /** Where the place can be read without a signature; empty when nowhere. */
  readonly baseUrl: string
  readonly volume: StorageVolume
}

/** The places where bytes lie. Tenant 0 is the platform. Not to be kept: ask again for each use. */
export interface StorageVolumes {
  /** Where a tenant's new bytes go; throws 404/4043 while its driver or profile is not there. */
  current(tenantId: number): Promise<OpenVolume>
  /** Where bytes went once; throws 404/4043 for what is not known, or while its driver is not there. */
  byRef(ref: string): Promise<OpenVolume>
  /**
   * The origins that links to a tenant's new files lead to, for the policies of pages; none where files come through the platform.
   * Throws as `current` does.
   */
  linkOrigins(tenantId: number): Promise<readonly string[]>
}

/** The places where bytes lie. */
export const storageVolumes = defineService<StorageVolumes>('storage.volumes')

/** What is known of places changed: of one, or with `*` of any. */
export const storageVolumesChanged = defineEvent<{ readonly ref: string }>('storage.volumes_changed')
