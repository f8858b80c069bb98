import type { Base64, Json } from './json.ts'
import type { ConfigKey, ConfigValue, PublishedType } from './names.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** What the storage knows of an object. */
type StoredObject = {
  readonly key: string
  readonly size: number
  readonly contentType: string
  readonly updatedAt: string
}

/**
 * Files of the plugin, apart for each tenant: 200 MB and 10,000 objects unless granted otherwise, 20 MB an object, of which
 * 1 MB fits into one call. Keys are paths of at most 512 bytes.
 */
interface Storage {
  /** The bytes, or `null` when there is no such key. */
  get(key: string): Promise<Base64 | null>
  /** Text is stored as UTF-8. Fails with `rate_limited` when the quota is used up. */
  put(
    key: string,
    data: string | Base64,
    options?: { readonly contentType?: string; readonly ttlSeconds?: number },
  ): Promise<void>
  delete(key: string): Promise<void>
  /** Ordered by key, 100 at a time unless said otherwise; `cursor` of one page asks for the next. */
  list(options?: {
    readonly prefix?: string
    readonly cursor?: string
    readonly limit?: number
  }): Promise<{ readonly objects: readonly StoredObject[]; readonly cursor?: string }>
  stat(key: string): Promise<StoredObject | null>
  /** A link that anybody may read the object with until it expires. */
  signedUrl(key: string, options: { readonly ttlSeconds: number }): Promise<string>
  usage(): Promise<{ readonly bytes: number; readonly objects: number }>
}

/** Events for other plugins and the own pages; what this one listens to stands in its manifest. */
interface Events {
  /** The type must stand in the manifest. At most 32 KB a payload and 100 events a minute. */
  publish(type: PublishedType, payload: Json): Promise<void>
  /**
   * Tells one user of the calling tenant, on admin routes one of the platform's administrators: what hears it are the plugin's pages and
   * the console that this user has open, and no plugin. Whoever has none open, and an id that is no user's there, hears nothing, and that
   * looks the same. At most 8 KB a payload and 300 a minute.
   */
  tell(type: PublishedType, payload: Json, to: { readonly user: number }): Promise<void>
}

/** The plugin's own settings, as the administrator and the tenant filled them in. */
interface Config {
  /** The value, or the manifest's default; fails with `invalid` for a key the manifest does not have. */
  get<Key extends ConfigKey>(key: Key): Promise<ConfigValue<Key>>
  all(): Promise<Readonly<Record<string, Json>>>
}

/** Values that may be lost at any time, apart for each tenant. */
interface Cache {
  get(key: string): Promise<Json>
  /** For 300 seconds unless said otherwise. */
  set(key: string, value: Json, options?: { readonly ttlSeconds?: number }): Promise<void>
  delete(key: string): Promise<void>
}

/** What of `ctx` is the plugin's own. */
export interface OwnDataCtx {
  /** Needs the capability `storage`. */
  readonly storage: Storage
  /** Needs the capability `events`. */
  readonly events: Events
  /** Needs the capability `config`. */
  readonly config: Config
  readonly cache: Cache
}

/** An event that the plugin published. */
export interface TestEvent {
  readonly type: string
  readonly payload: unknown
  /** 0 is the platform. */
  readonly tenantId: number
}

/** An event that the plugin told one user. */
export interface TestTold extends TestEvent {
  readonly user: number
}

/** What of its own a plugin has in a test. */
export interface OwnDataGiven {
  /** Values of the manifest's configuration items, under their keys, over the defaults. */
  readonly config?: Readonly<Record<string, Json>>
}

/** What it published in a test. */
export interface OwnDataSeen {
  /** What it published so far, oldest first. */
  readonly published: readonly TestEvent[]
  /** What it told single users so far, oldest first. */
  readonly told: readonly TestTold[]
}

/** The members of `ctx` that are the plugin's own. */
export const ownDataCtx: CtxMembers<OwnDataCtx> = {
  storage: {
    by: ['storage'],
    open: (send) => ({
      get: (key) => send('storage.get', { key }),
      put: (key, data, options) => send('storage.put', { ...options, key, data }),
      delete: (key) => send('storage.delete', { key }),
      list: (options) => send('storage.list', options ?? {}),
      stat: (key) => send('storage.stat', { key }),
      signedUrl: (key, options) => send('storage.signedUrl', { ...options, key }),
      usage: () => send('storage.usage', {}),
    }),
    saving: ['put', 'delete'],
  },
  events: {
    by: ['events'],
    open: (send) => ({
      publish: (type, payload) => send('events.publish', { type, payload }),
      tell: (type, payload, to) => send('events.tell', { type, payload, to }),
    }),
    saving: ['publish', 'tell'],
  },
  config: {
    by: ['config'],
    open: (send) => ({ get: (key) => send('config.get', { key }), all: () => send('config.all', {}) }),
  },
  cache: {
    by: [],
    open: (send) => ({
      get: (key) => send('cache.get', { key }),
      set: (key, value, options) => send('cache.set', { ...options, key, value }),
      delete: (key) => send('cache.delete', { key }),
    }),
  },
}

/** What a plugin may keep; its tables are the third argument of its functions, and no member of `ctx`. */
export const ownData = {
  storage: {
    section: { field: 'storage', isPresent: ({ storage }) => storage !== undefined, isNeeded: false },
    detail: ({ storage }) => storage ?? {},
    used: true,
    called: true,
  },
  'db:own_tables': {
    section: { field: 'db', isPresent: ({ db }) => db !== undefined, isNeeded: true },
    detail: ({ db }) => ({ tables: db?.tables ?? [], rowsHint: db?.rowsHint }),
    used: /\bdb\b|\.table\(/,
    called: /\bdb!?\.(?:table|tx)\s*\(/,
  },
  events: {
    section: {
      field: 'events',
      isPresent: ({ events: { publish = [], subscribe = [] } = {} }) => publish.length + subscribe.length > 0,
      isNeeded: true,
    },
    detail: ({ events: { publish = [], subscribe = [] } = {} }) => ({ publish, subscribe }),
    // Whoever only listens names nothing.
    called: true,
  },
  config: {
    section: { field: 'config', isPresent: ({ config = [] }) => config.length > 0, isNeeded: true },
    detail: ({ config = [] }) => ({ items: config.map(({ key, type, scope }) => ({ key, type, scope })) }),
    used: true,
    called: true,
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>
