import type { Readable } from 'node:stream'
import { defineService, type Localised, type Schema } from '#kernel'

/** Part of an object: both bytes are included, as in a Range header. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Bytes on their way out. */
export interface StoredBytes {
  readonly content: Readable
  /** Of the whole object, also where a part was asked for. */
  readonly size: number
}

/** What a put needs beside its content. */
export interface VolumePutOptions {
  /** When it is known; a content of another length is refused with 502/5022 or 500/5003 and nothing is kept. */
  readonly size?: number | undefined
  readonly contentType?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a link gives whoever has it. */
export interface LinkOptions {
  /** A week at most. */
  readonly seconds: number
  /** The Content-Type that the answer shall have. */
  readonly contentType?: string | undefined
  /** The Content-Disposition that the answer shall have. */
  readonly disposition?: string | undefined
  /** More members of the query, such as how an image is to be made; signed with the rest. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Of a place with `imageProcess: 'imgproxy'`: the processing options in imgproxy's path; the link then leads to imgproxy. */
  readonly imageProxyOptions?: string | undefined
}

/** A request that anybody may send for a while. */
interface PresignedPut {
  readonly method: 'PUT'
  readonly url: string
  /** To be sent exactly so, or the signature does not fit. */
  readonly headers: Readonly<Record<string, string>>
}

/** An object that is written in parts, in any order and at the same time; it is there once it is completed. */
export interface MultipartUpload {
  /** Parts count from 1; all but the last have the size of `partBytes` at least. */
  putPart(number: number, content: Buffer): Promise<void>
  complete(): Promise<void>
  /** Drops every part. */
  abort(): Promise<void>
}

/** How a back end makes images from its own objects. */
export type ImageProcess = 'none' | 'oss' | 'cos' | 'qiniu' | 'imgproxy'

/** Keeps bytes under opaque locations; knows nothing of keys, tenants and quotas. */
export interface StorageVolume {
  /** Writes all of the content or nothing. A location is a relative path of safe segments. */
  put(location: string, content: Readable, options?: VolumePutOptions): Promise<void>
  /** The content, or undefined when it is gone. */
  get(
    location: string,
    options?: { readonly range?: ByteRange | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<StoredBytes | undefined>
  /** Copies the content over a file of this host without taking it through this process, where that can be; answers whether it is there. */
  copyTo?(location: string, file: string): Promise<boolean>
  /** What there is, or undefined when it is gone. */
  head(
    location: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<{ readonly size: number } | undefined>
  /** Deletes what is there; a location that is gone is no fault. */
  delete(location: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Drops what is left of puts to a location that never ended, where that takes room although nothing is there. */
  forgetUnfinished?(location: string): Promise<void>
  /**
   * Every location older than a moment, for finding bytes that no row knows. Only where nobody else keeps anything: without it
   * storage remembers in the database what it may have to delete.
   */
  listOlderThan?(moment: Date): AsyncIterable<string>
  presignGet?(location: string, options: LinkOptions): Promise<string>
  presignPut?(
    location: string,
    options: {
      readonly seconds: number
      readonly contentType?: string | undefined
      readonly size?: number | undefined
    },
  ): Promise<PresignedPut>
  readonly multipart?: {
    /** The least size of a part but the last. */
    readonly partBytes: number
    create(
      location: string,
      options?: { readonly contentType?: string | undefined; readonly signal?: AbortSignal | undefined },
    ): Promise<MultipartUpload>
  }
  /** The path of a location below a base URL: the location itself, unless there is a prefix. */
  pathOf?(location: string): string
  /** What whoever tries settings does beside the above. */
  readonly reach?: {
    /** Looks the host up. */
    resolve(): Promise<void>
    /** Gets any answer from the host. */
    connect(signal: AbortSignal): Promise<void>
    /** What somebody with a link gets. */
    fetch(url: string, signal: AbortSignal): Promise<Buffer>
  }
  readonly imageProcess: ImageProcess
}

/** What a driver can do. */
interface StorageCapabilities {
  readonly presign: boolean
  readonly range: boolean
  readonly multipart: boolean
  readonly imageProcess: boolean
}

/** A driver's settings, valid by its schema, defaults filled in. */
export type DriverConfig = Readonly<Record<string, unknown>>

/** Whose settings they are: a tenant's own never lead to private addresses or to places of its choice on this machine. */
export type ConfigOwner = 'platform' | 'tenant'

/** A kind of storage back end. */
export interface StorageDriver {
  /** Small letters, digits and `_`; rows remember it. */
  readonly name: string
  readonly label: Localised
  readonly description: Localised
  /** The third-party plugin that brings it. */
  readonly plugin?: string
  readonly capabilities: StorageCapabilities
  /**
   * JSON Schema 2020-12 of an object: `x-secret`, `x-order` and `x-visible-when` on its members. A secret is a text, and its name
   * ends with secret, password, passphrase, token, credential, credentials or key; no other's does.
   */
  readonly schema: Schema
  /** What tenants may set where it is less. */
  readonly tenantSchema?: Schema
  /** Titles and descriptions of members in other languages, by language and member. */
  readonly texts?: Readonly<
    Record<string, Readonly<Record<string, { readonly title: string; readonly description?: string }>>>
  >
  readonly example: DriverConfig
  /** Where settings lead: those with the same text reach the same objects. No secrets. */
  placeOf(config: DriverConfig): string
  /** Throws nothing: what is wrong shows at the first use. */
  open(config: DriverConfig, owner: ConfigOwner): StorageVolume
}

/** Where drivers are made known. */
export interface StorageDrivers {
  /** Known until the result is disposed; a later one of the same name takes its place. Throws for a schema that breaks the rules above. */
  register(driver: StorageDriver): Disposable
  /** Opens a place of the platform's by a driver's name, past the settings; throws 404/4043 while there is none of the name. */
  open(name: string, config: DriverConfig): StorageVolume
}

/** Makes drivers known. */
export const storageDrivers = defineService<StorageDrivers>('storage.drivers')
