import { defineService, type Schema } from '#kernel'

/** A kind of event as clients get it. */
export interface WireKind {
  readonly namespace: 'user' | 'tenant' | 'admin'
  readonly name: string
  readonly summary: string
  /** Of its `data`. */
  readonly data: Schema
  /** What its reader must hold when it comes, each of them. */
  readonly permissions: readonly string[]
}

/** An event that happened on this host, as clients get it. */
export interface WireNews extends Pick<WireKind, 'namespace' | 'name'> {
  /** Whose it is: a tenant's, with 0 the platform's, or with `all` every tenant's. */
  readonly tenantId: number | 'all'
  /** ISO 8601. */
  readonly ts: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What clients are told, for those who bring it elsewhere. */
export interface WireFeed {
  readonly kinds: readonly WireKind[]
  /** Hears what this host causes, before its cause is answered; nothing that is for one user or one session alone. */
  onTold(listener: (news: WireNews) => Promise<void>): Disposable
}

/** What clients are told. */
export const wireFeed = defineService<WireFeed>('realtime.wire_feed')
