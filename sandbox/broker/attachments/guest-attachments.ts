/** On whose behalf a plugin asks for files. */
export interface AttachmentOwner {
  readonly plugin: string
  /** 0 is the platform. */
  readonly tenantId: number
  /** Undefined where no user led to the call. */
  readonly userId?: number | undefined
}

/** A file as the platform knows it. */
export interface GuestAttachment {
  readonly id: string
  readonly filename: string
  readonly mimeType: string
  readonly size: number
  readonly hash: string
  readonly visibility: 'private' | 'tenant' | 'public'
  readonly status: string
  readonly width: number | null
  readonly height: number | null
  /** Which plugin made it. */
  readonly plugin: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** Which files a plugin wants, newest first. */
interface GuestAttachmentQuery {
  readonly q?: string | undefined
  readonly type?: string | undefined
  /** Only what the plugin made. */
  readonly isOwn?: boolean | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** A file that a plugin makes. */
interface NewGuestAttachment {
  readonly filename: string
  readonly content: AsyncIterable<Buffer>
  /** Bytes. */
  readonly mostBytes: number
  readonly visibility?: GuestAttachment['visibility'] | undefined
  readonly ttlSeconds?: number | undefined
  /** Of all that the plugin made in the tenant. */
  readonly quotaBytes: number
}

/** Keeps files of tenants; each function sees what its owner may read, and nothing else is there. */
export interface GuestAttachments {
  find(owner: AttachmentOwner, id: string): Promise<GuestAttachment | undefined>
  list(owner: AttachmentOwner, query: GuestAttachmentQuery): Promise<readonly GuestAttachment[]>
  /** Bytes from `start` to `end`, both counted. */
  open(
    owner: AttachmentOwner,
    id: string,
    range: { readonly start: number; readonly end: number },
  ): Promise<AsyncIterable<Buffer>>
  link(
    owner: AttachmentOwner,
    id: string,
    options: { readonly ttlSeconds: number; readonly preview?: boolean; readonly preset?: string | undefined },
  ): Promise<string>
  /** Throws 403 where the user may not upload, 400/4008, 413/4130 and 429/4297 for what is not taken. */
  create(owner: AttachmentOwner, file: NewGuestAttachment): Promise<GuestAttachment>
  /** Keeps one beyond its time; answers whether it was there. */
  keep(owner: AttachmentOwner, id: string): Promise<boolean>
  delete(owner: AttachmentOwner, id: string): Promise<void>
}
