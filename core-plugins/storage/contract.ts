import type { Readable } from 'node:stream'
import { defineService } from '#kernel'

/** What is known of a stored object. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly contentType: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
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
  get(key: string): Promise<{ readonly object: StoredObject; readonly content: Readable } | undefined>
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
}

/** Opens stores; tenant 0 is the platform. A namespace is a path such as `plugins/acme.reports`. */
export interface ObjectStorage {
  open(namespace: string, tenantId: number): ObjectStore
  /** Deletes everything of a namespace, of all tenants; links to it are dead at once. */
  clear(namespace: string): Promise<StorageUsage>
  /** What a namespace holds, of all tenants. */
  usage(namespace: string): Promise<StorageUsage>
}

/** Keeps bytes under opaque locations; knows nothing of keys, tenants and quotas. */
export interface StorageDriver {
  /** Small letters, digits and `_`; rows remember it. */
  readonly name: string
  /** Writes all of the content or nothing. A location is a relative path of safe segments. */
  write(location: string, content: Readable): Promise<void>
  /** The content, or undefined when it is gone. */
  read(location: string): Promise<Readable | undefined>
  /** Deletes what is there; a location that is gone is no fault. */
  delete(location: string): Promise<void>
  /** Every location older than a moment, for finding bytes that no row knows. */
  listOlderThan(moment: Date): AsyncIterable<string>
}

/** Where drivers are made known. */
export interface StorageDrivers {
  register(driver: StorageDriver): Disposable
}

/** Makes drivers known. */
export const storageDrivers = defineService<StorageDrivers>('storage.drivers')
/** Keeps objects for plugins and features. */
export const objectStorage = defineService<ObjectStorage>('storage.objects')
