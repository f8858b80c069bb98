import type { Base64 } from './json.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** A file of the calling tenant; its bytes never change. */
type Attachment = {
  readonly id: string
  readonly filename: string
  /** By its extension and first bytes. */
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly visibility: 'private' | 'tenant' | 'public'
  /** `ready`, or `pending` or `quarantined` where files are scanned: only the plugin that made them finds those, and nobody reads them. */
  readonly status: string
  /** Of images, in pixels. */
  readonly width: number | null
  readonly height: number | null
  /** Whether this plugin made it: then it may keep and delete it. */
  readonly isOwn: boolean
  readonly createdAt: string
  /** When it goes unless it is kept; `null` for what stays. */
  readonly expiresAt: string | null
}

/**
 * Files of the calling tenant. A plugin sees what the calling user may read as an ordinary user, that is the user's own and what is open to
 * the tenant or everybody, and what the plugin itself made; without a user, what is open to everybody and its own. On admin routes they are those
 * of the platform.
 */
interface Attachments {
  /** Needs `attachments:read`. `null` for what is not there, or not for this caller. */
  find(id: string): Promise<Attachment | null>
  /**
   * Needs `attachments:read`. Newest first, 20 at a time unless said otherwise, at most 100; `cursor` of one page asks for the next. `q` is a
   * part of the name of at most 100 characters, `type` what stands before the slash of media types, such as `image`; `own` leaves out
   * what the plugin did not make.
   */
  list(query?: {
    readonly q?: string
    readonly type?: string
    readonly own?: boolean
    readonly cursor?: string
    readonly limit?: number
  }): Promise<{ readonly attachments: readonly Attachment[]; readonly cursor?: string }>
  /** Needs `attachments:read`. The bytes from `offset` on, at most `length` of them; a call gives 768 KB at most. Fails with `not_found`. */
  read(id: string, part?: { readonly offset?: number; readonly length?: number }): Promise<Base64>
  /**
   * Needs `attachments:read`. A link that anybody may open for `ttlSeconds`, 60 to 604,800; `preview` shows instead of saves, where that is
   * harmless, `preset` makes an image smaller, such as `thumb`. Fails with `not_found`.
   */
  link(
    id: string,
    options: { readonly ttlSeconds: number; readonly preview?: boolean; readonly preset?: string },
  ): Promise<string>
  /**
   * Needs `attachments:write`. Stores a file, which belongs to the calling user: 768 KB in a call, and 200 MB of a plugin in a tenant unless an
   * administrator says otherwise. Text is stored as UTF-8. `private` unless said otherwise; with `ttlSeconds` it goes unless it is kept. Fails with
   * `bad_request` for a kind of file that is not taken or bytes that are of another kind, `forbidden` where the user may not upload,
   * `rate_limited` without room.
   */
  create(file: {
    readonly filename: string
    readonly data: string | Base64
    readonly visibility?: 'private' | 'tenant' | 'public'
    readonly ttlSeconds?: number
  }): Promise<Attachment>
  /** Needs `attachments:write`. Keeps a file that the plugin made, such as an upload of a route, beyond its time. Fails with `not_found`. */
  keep(id: string): Promise<void>
  /** Needs `attachments:write`. Deletes a file that the plugin made; fails with `forbidden` for others, `conflict` while somebody needs it. */
  delete(id: string): Promise<void>
}

/** What of `ctx` leads to the tenant's files. */
export interface AttachmentsCtx {
  /** Needs the capability `attachments:read` or `attachments:write`, as each function says. */
  readonly attachments: Attachments
}

/** A file that is there before a test, or that the plugin made in it. */
export interface TestAttachment {
  /** A UUID; one is made unless it is given. */
  readonly id?: string
  readonly filename: string
  /** Text, or bytes in base64. */
  readonly data: string | Base64
  readonly visibility?: 'private' | 'tenant' | 'public'
  /** 0 is nobody. The user 1 unless said otherwise. */
  readonly ownerId?: number
  /** 0 is the platform. The tenant 1 unless said otherwise. */
  readonly tenantId?: number
}

/** The files there are in a test. */
export interface AttachmentsGiven {
  readonly attachments?: readonly TestAttachment[]
}

/** What the plugin made of files in a test. */
export interface AttachmentsSeen {
  /** Those that it made and that are still there, oldest first. */
  readonly attached: readonly (TestAttachment & { readonly id: string; readonly isKept: boolean })[]
}

const write = 'attachments:write'

/** The member of `ctx` that leads to the tenant's files. */
export const attachmentsCtx: CtxMembers<AttachmentsCtx> = {
  attachments: {
    by: ['attachments:read', write],
    open: (send) => ({
      find: (id) => send('attachments.find', { id }),
      list: (query) => send('attachments.list', query ?? {}),
      read: (id, part) => send('attachments.read', { ...part, id }),
      link: (id, options) => send('attachments.link', { ...options, id }),
      create: (file) => send('attachments.create', file),
      keep: (id) => send('attachments.keep', { id }),
      delete: (id) => send('attachments.delete', { id }),
    }),
    saving: ['create', 'keep', 'delete'],
    others: { create: write, keep: write, delete: write },
  },
}

/** What a plugin may do with the tenant's files. */
export const attachments = {
  'attachments:read': {
    used: /\battachments!?\??\.(?:find|list|read|link)\b/,
    called: /\battachments!?\??\.(?:find|list|read|link)\s*\(/,
  },
  'attachments:write': {
    called: /\battachments!?\??\.(?:create|keep|delete)\s*\(/,
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>
