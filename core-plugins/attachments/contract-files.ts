import type { Readable } from 'node:stream'
import type { Knex } from 'knex'
import { defineService } from '#kernel'

/** A file as other plugins see it; its bytes never change. */
export interface AttachmentFile {
  readonly id: string
  readonly tenantId: number
  /** Nobody's is 0. */
  readonly ownerId: number
  readonly filename: string
  /** By its extension and first bytes, never by what a sender says. */
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly visibility: 'private' | 'tenant' | 'public'
  readonly usage: 'general' | 'avatar' | 'chat' | 'config' | 'plugin'
  readonly status: string
  /** Of images, in pixels. */
  readonly width: number | null
  readonly height: number | null
  /** The third-party plugin that made it. */
  readonly plugin: string | null
  /** When it goes unless somebody keeps it; null for what stays. */
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** A file to be stored. */
export interface NewAttachmentFile {
  /** 0 is the platform. */
  readonly tenantId: number
  /** 0 is nobody: then no user's quota counts, only the tenant's. */
  readonly ownerId: number
  readonly filename: string
  readonly content: AsyncIterable<Buffer>
  readonly usage: AttachmentFile['usage']
  /** `private`, and for avatars and configuration `public`, unless said otherwise. */
  readonly visibility?: AttachmentFile['visibility'] | undefined
  /**
   * Who sends it. For `user`, as for every upload, the switch `file_upload`, the allowed extensions and the largest size hold; what
   * the `platform` makes itself is bound by quotas alone.
   */
  readonly from: 'user' | 'platform'
  /** Bytes, for which room is taken while they come; the platform's `max_file_size_mb` unless said otherwise, and for users never more. */
  readonly mostBytes?: number | undefined
  /** It goes after so many seconds unless `keep` is called. */
  readonly ttlSeconds?: number | undefined
  /** The third-party plugin that makes it, and how many bytes all of its files in the tenant may have. */
  readonly plugin?: { readonly name: string; readonly quotaBytes: number } | undefined
}

/**
 * On whose behalf a file is looked for: of a user, what is the user's own and what is open to the user's tenant or everybody; of nobody, what
 * is open to everybody; and in both cases what the plugin made. No administrator's right counts.
 */
export interface AttachmentReader {
  readonly userId?: number | undefined
  readonly plugin?: string | undefined
}

/** Which files are wanted, newest first. */
interface AttachmentQuery {
  readonly reader?: AttachmentReader | undefined
  /** Of a reader that names a plugin: nothing but what that made. */
  readonly isOwn?: boolean | undefined
  /** Part of the name, in any case. */
  readonly q?: string | undefined
  readonly usage?: AttachmentFile['usage'] | undefined
  /** What stands before the slash of media types, such as `image`. */
  readonly type?: string | undefined
  /** Only those that are older than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** What a link to a file shows. */
interface AttachmentLinkOptions {
  /** 60 to 604,800; the link may be good for up to 15 minutes longer. */
  readonly ttlSeconds: number
  /** Shown by the browser, where that is harmless, instead of saved. */
  readonly preview?: boolean | undefined
  /** A preset of images, such as `thumb`. */
  readonly preset?: string | undefined
}

/** A link that needs no other credential. */
interface AttachmentLink {
  readonly url: string
  /** Null for files that are open to everybody. */
  readonly expiresAt: Date | null
}

/** Which file is meant. */
export interface AttachmentKey {
  readonly tenantId: number
  readonly id: string
}

/** Files of users and tenants, for plugins that need them. Ids of other tenants are of files that are not there. */
export interface AttachmentFiles {
  /**
   * Stores a stream, whole or not at all. Throws 403/4036, 400/4008 for a name or bytes that are not taken, 413/4130 and 429/4297 where they
   * are too many.
   */
  create(file: NewAttachmentFile): Promise<AttachmentFile>
  /** Undefined for what is not there, or not for this reader; without one everything is found. */
  find(key: AttachmentKey, reader?: AttachmentReader, trx?: Knex): Promise<AttachmentFile | undefined>
  list(tenantId: number, query: AttachmentQuery): Promise<readonly AttachmentFile[]>
  /** The bytes, or those from `start` to `end`, both counted; to be read to their end or destroyed. Throws 404/4045. */
  open(key: AttachmentKey, range?: { readonly start: number; readonly end: number }): Promise<Readable>
  /** A link to the file; throws 404/4045. */
  link(key: AttachmentKey, options: AttachmentLinkOptions): Promise<AttachmentLink>
  /**
   * Makes these, and no others, the files that a holder needs: while somebody needs a file it is kept, also one that would expire, and nobody
   * may delete it (409/4095). `holder` is `<kind>:<which>`, such as `chat_message:17`. Throws 404/4045 for a file that is not there.
   */
  reference(tenantId: number, holder: string, ids: readonly string[], trx: Knex.Transaction): Promise<void>
  /** Keeps a file that would expire; answers whether it was still there. */
  keep(key: AttachmentKey, trx?: Knex): Promise<boolean>
  /** Throws 404/4045, and 409/4095 while somebody needs it. */
  delete(key: AttachmentKey): Promise<void>
  /**
   * A third-party plugin is gone: files that it made for users are from now on theirs alone, nobody's and those that would expire are
   * deleted. Answers how many were deleted.
   */
  forgetPlugin(plugin: string): Promise<number>
  /** How many bytes and files a third-party plugin has made in a tenant. */
  usageOf(plugin: string, tenantId: number): Promise<{ readonly bytes: number; readonly files: number }>
}

/** Files of users and tenants. */
export const attachmentFiles = defineService<AttachmentFiles>('attachments.files')
