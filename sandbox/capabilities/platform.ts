import type { Json } from './json.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** A message to one user, shown in the console as plain text. */
interface Notification {
  /** A user of the calling tenant; on admin routes one of the platform's administrators. */
  readonly userId: number
  /** 1 to 200 characters, in one line. */
  readonly title: string
  /** At most 2,000 characters; may have lines. */
  readonly body?: string
  /** `info` unless said otherwise. */
  readonly level?: 'info' | 'success' | 'warning' | 'error'
  /**
   * One of the plugin's own pages: a slash and the id of a slot, then what the page is told, such as `/book?entry=5`; at most
   * 500 characters.
   */
  readonly link?: string
}

/** Messages to users, kept for 90 days: 30 a minute in a tenant. */
interface Notify {
  /**
   * Gives back the notification's id. Fails with `not_found` when the tenant has no such user, `invalid` for a text that is
   * too long or not plain or a link that leads elsewhere, `rate_limited` beyond 30 a minute.
   */
  send(notification: Notification): Promise<{ readonly id: string }>
}

/** What a plugin may know of a user: no address and no number. */
type User = {
  readonly id: number
  readonly nickname: string
  /** The name for signing in; `null` for users who have none but an address. */
  readonly account: string | null
  readonly status: 'active' | 'disabled' | 'pending_approval' | 'pending_verification'
  /** Empty without one. */
  readonly avatarUrl: string
}

/** The users of the calling tenant; on admin routes the platform's administrators. */
interface Users {
  /** `null` when the tenant has no such user; fails with `bad_request` for what is no id. */
  get(id: number): Promise<User | null>
  /**
   * In the order of their ids, 20 at a time unless said otherwise, at most 100; `cursor` of one page asks for the next. `q`
   * is a part of a nickname or account of at most 100 characters, `ids` a list of at most 100. Fails with `bad_request`
   * beyond that.
   */
  list(query?: {
    readonly q?: string
    readonly ids?: readonly number[]
    readonly cursor?: string
    readonly limit?: number
  }): Promise<{ readonly users: readonly User[]; readonly cursor?: string }>
}

/** The platform's AI models, on the tenant's quota and in the name of the calling user: 20 in a call, 60 a minute in a tenant. */
interface Ai {
  /**
   * What a model answers to a request in the gateway's words, at most 1 MB each. Fails with `upstream` and the reason
   * `ai_unavailable` while the platform has no models, `rate_limited` beyond the bounds or the quota.
   */
  invoke(request: { readonly [key: string]: Json }): Promise<Json>
}

/** What of `ctx` the platform answers. */
export interface PlatformCtx {
  /** Needs the capability `notify`. */
  readonly notify: Notify
  /** Needs the capability `users:read_basic`. */
  readonly users: Users
  /** Needs the capability `ai:invoke`. */
  readonly ai: Ai
}

/** A notification that the plugin sent. */
export interface TestNotification {
  /** 0 is the platform. */
  readonly tenantId: number
  readonly userId: number
  readonly title: string
  readonly body: string
  readonly level: 'info' | 'success' | 'warning' | 'error'
  readonly link: string | null
}

/** What the platform answers with in a test. */
export interface PlatformGiven {
  /** The users that `ctx.users` knows, of whatever tenant asks. */
  readonly users?: readonly User[]
  /** What a model answers to a request; without it there are no models. */
  readonly ai?: (request: { readonly [key: string]: unknown }) => Json
}

/** What the platform was asked for in a test. */
export interface PlatformSeen {
  /** The notifications it sent so far, oldest first; every user exists. */
  readonly notified: readonly TestNotification[]
}

/** The members of `ctx` that the platform answers. */
export const platformCtx: CtxMembers<PlatformCtx> = {
  notify: {
    by: ['notify'],
    open: (send) => ({ send: (message) => send('notify.send', message) }),
    saving: ['send'],
  },
  users: {
    by: ['users:read_basic'],
    open: (send) => ({
      get: (id) => send('users.get', { id }),
      list: (query) => send('users.list', query ?? {}),
    }),
  },
  ai: {
    by: ['ai:invoke'],
    open: (send) => ({ invoke: (request) => send('ai.invoke', request) }),
    isElsewhere: true,
  },
}

/** What a plugin may ask of the platform. */
export const platform = {
  notify: { used: true, called: true },
  // Many a list has this name and such functions.
  'users:read_basic': { used: true },
  'ai:invoke': { used: true, called: true },
} as const satisfies Readonly<Record<string, CapabilityRow>>
