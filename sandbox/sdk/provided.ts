import type { Ctx } from './ctx.ts'
import type { Db } from './database.ts'
import type { Base64, Json } from '../capabilities/json.ts'
import type { EmbeddingsWish, ProviderDelta, ProviderWish } from '../capabilities/gateway-words.ts'

/** A value that may be waited for. */
type Awaitable<Value> = Promise<Value> | Value
/** Settings by their keys. */
type Settings = Readonly<Record<string, Json>>

/**
 * Answers a call of an AI model with what the model should read: 1 s of CPU and 10 s in all, unless the manifest's `timeoutMs`
 * asks for less. The input, 64 KB at most, fits the manifest's schema; `content`, 1 MB at most, must fit that of the output,
 * which is checked up to 256 KB. Texts with a `pattern` have 4,096 characters at most. Throwing a PluginError tells the model
 * what went wrong. `ctx.idempotencyKey` is the same for a call that is made again.
 */
export type AiTool<Input = Json> = (input: Input, ctx: Ctx, db: Db) => Awaitable<{ readonly content: Json }>

/** What a captcha is for. */
export interface CaptchaRequest {
  /** Which side asks. */
  readonly endpoint: 'admin' | 'tenant' | 'user'
  readonly action: 'login' | 'register' | 'forgot_password' | 'login_code'
  readonly difficulty: 'easy' | 'medium' | 'hard'
}

/**
 * A captcha of the plugin's own; both functions have 2 s. After three failures of one of them in a row at a tenant, an answer of
 * another form included, or while the plugin is paused, its people get the image captcha instead. A PluginError thrown by `verify`
 * about the solution is no failure but a no.
 */
export interface Captcha {
  /** `challenge` is shown to the caller; `state` stays on the server until the answer comes. Each at most 65,536 characters of JSON. */
  challenge(request: CaptchaRequest, ctx: Ctx): Awaitable<{ readonly challenge: Json; readonly state: Json }>
  /**
   * Judges an answer of at most 8,192 characters, for the endpoint and action it was asked for. The platform lets a right
   * answer count once and forgets challenges that are too old; a wrong one may be tried again until then.
   */
  verify(
    answer: Omit<CaptchaRequest, 'difficulty'> & { readonly solution: string; readonly state: Json },
    ctx: Ctx,
  ): Awaitable<{ readonly valid: boolean; readonly score?: number }>
}

/** What is to be sent to an AI provider: the platform adds the connection and nothing else. */
export interface ProviderRequest {
  /** POST unless said otherwise. */
  readonly method?: 'GET' | 'POST'
  /** Below the provider's base URL, beginning with a slash; at most 2,048 characters. */
  readonly path: string
  /** At most 32 and 8,192 characters; `{{secret:key}}` is filled in here and nowhere else. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
}

/**
 * The mappings between the gateway's words and a provider's, under the names of the manifest's `handlers`. They are pure: no
 * capability is there, and the settings have `{{secret:key}}` in the place of secrets. Each has 2 s.
 */
export interface AiProviderMappings {
  /**
   * What to send for a wish of the gateway. A PluginError `invalid` or `bad_request` says that the provider has no word for it: another
   * target is asked, or the caller is told.
   */
  request(input: { readonly wish: ProviderWish; readonly config: Settings }, ctx: Ctx): Awaitable<ProviderRequest>
  /**
   * The steps in at most 32 raw events of a stream, or in the one body of an answer that is none, 1,000 at most; `state` comes back with
   * the next batch, `null` at first.
   */
  chunk(
    input: {
      readonly events: readonly { readonly event?: string; readonly data: string }[]
      readonly state: Json
      readonly config: Settings
    },
    ctx: Ctx,
  ): Awaitable<{ readonly deltas: readonly ProviderDelta[]; readonly state?: Json }>
  /**
   * What an answer of 400 and above means: `auth`, `rate_limited`, `overloaded`, `bad_request`, `context_length`, `content_filter`,
   * `not_found` or `server`. Another word, and a plugin without this, leaves it to the status.
   */
  error?(
    input: {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      readonly config: Settings
    },
    ctx: Ctx,
  ): Awaitable<{ readonly class: string; readonly message?: string; readonly retryAfterSeconds?: number }>
  /** The models in an answer, 2,000 at most. */
  models?(
    input: { readonly body: string; readonly config: Settings },
    ctx: Ctx,
  ): Awaitable<{ readonly models: readonly { readonly id: string; readonly name?: string }[] }>
  /** What the answer to a test says. */
  test?(
    input: { readonly level: string; readonly status: number; readonly body: string; readonly config: Settings },
    ctx: Ctx,
  ): Awaitable<{ readonly ok: boolean; readonly detail?: string }>
}

/** The mappings of a provider that makes vectors, too: its manifest names `embeddings` among the `handlers`. */
export interface AiVectorMappings extends Omit<AiProviderMappings, 'request'> {
  /** As without vectors, and what to send for those. */
  request(
    input: { readonly wish: ProviderWish | EmbeddingsWish; readonly config: Settings },
    ctx: Ctx,
  ): Awaitable<ProviderRequest>
  /** The vectors in an answer, one for each text in their order, all of one length; tokens that are not told are counted. */
  embeddings(
    input: { readonly body: string; readonly config: Settings },
    ctx: Ctx,
  ): Awaitable<{ readonly vectors: readonly (readonly number[])[]; readonly inputTokens?: number }>
}

/** The object that a function of a storage driver is about, with the driver's settings, secrets included. */
export interface StoredLocation {
  /** A path of safe segments, 300 characters at most. */
  readonly location: string
  readonly config: Settings
}

/**
 * A place for files, under the names of the manifest's `handlers`; the platform's own settings and profiles may choose it. Bytes
 * come and go in pieces of 512 KB, each in a call of its own with 10 s, in which `ctx.storage` is absent; there are no direct
 * links and no uploads in parts.
 */
export interface StorageDriverHandlers {
  /** A piece of an object, in order; `state` comes back with the next one, `null` at first. Whole once the last is there. */
  put(
    piece: StoredLocation & {
      readonly contentType: string
      /** Of the whole object, when it is known. */
      readonly size: number | null
      /** Where the piece begins. */
      readonly offset: number
      readonly last: boolean
      readonly base64: string
      readonly state: Json
    },
    ctx: Ctx,
    db: Db,
  ): Awaitable<{ readonly state?: Json } | void>
  /** Exactly `length` bytes from `offset` on: a piece as it was put, of 512 KB unless it is the last. */
  get(part: StoredLocation & { readonly offset: number; readonly length: number }, ctx: Ctx, db: Db): Awaitable<Base64>
  /** Deletes what is there, also the pieces of an object that was never finished; what is gone is no fault. */
  delete(object: StoredLocation, ctx: Ctx, db: Db): Awaitable<void>
  /** `null` when it is gone. */
  stat(object: StoredLocation, ctx: Ctx, db: Db): Awaitable<{ readonly size: number } | null>
  /** What the driver holds, in pages. */
  list(
    page: { readonly cursor: string | null; readonly config: Settings },
    ctx: Ctx,
    db: Db,
  ): Awaitable<{
    readonly objects: readonly { readonly location: string; readonly size: number }[]
    readonly cursor?: string
  }>
  /** Tries the settings; throws what is wrong with them. */
  test?(input: { readonly config: Settings }, ctx: Ctx, db: Db): Awaitable<void>
}
