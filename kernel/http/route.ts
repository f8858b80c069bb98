import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { AppErrorClass } from '../errors.ts'
import type { Principal, Restriction, Tenant } from '../identity.ts'
import type { Locale } from '../locale/locale.ts'
import type { Logger } from '../log.ts'

/** A JSON Schema; written `as const` it gives the handler its types. */
export type Schema = JSONSchema

/** What comes in and what goes out: checked, typed, and in /openapi.json. */
interface RouteSchema {
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** The `data` of the success body. */
  readonly response?: Schema
}

/**
 * One of the answers a route gives. A status alone means JSON with the response schema's data, wrapped; with 204 and 3xx there
 * is no body.
 */
export type RouteAnswer =
  | number
  | {
      /** 200 unless said otherwise. */
      readonly status?: number
      /** Of the JSON; the response schema unless said otherwise. */
      readonly schema?: Schema
      /** The JSON is not wrapped, whatever the caller prefers. */
      readonly isBare?: true
    }
  | {
      readonly status?: number
      /** Media types of what is sent as it is, which may be ranges; none where there is no body. */
      readonly types: readonly string[]
    }

/** A limit on requests in a sliding window. */
export interface RateLimit {
  readonly policy: string
  readonly requests: number
  readonly seconds: number
  readonly by: 'ip' | 'user' | 'key'
  /** The error on excess; 4290 unless said otherwise. */
  readonly error?: AppErrorClass
}

/** Ways to send a body; `offset` is bytes that go on where others ended, as tus sends them, `file` the bytes of one file of any type. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'offset' | 'file'

/** One file of a multipart body, to be read before the next one comes. */
export interface UploadedFile {
  readonly field: string
  readonly filename: string
  readonly mimeType: string
  readonly content: Readable
}

/** What the pipeline learned before the handler ran. */
export interface RequestState {
  readonly traceId: string
  readonly ip: string
  readonly locale: Locale
  /** Undefined on open routes without a credential. */
  readonly principal: Principal | undefined
  /** The principal's tenant, or on open routes that ask for it the host's. */
  readonly tenant: Tenant | undefined
}

/** What a handler gets. */
export interface RouteContext<P = Record<string, string>, Q = Record<string, unknown>, B = unknown> {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The bytes of a JSON or form body, for those who check a signature over them. */
  readonly rawBody?: Buffer | undefined
  readonly state: RequestState
  /** Host and port that the request is for, as a browser has them in its address; '' for what is no host. */
  readonly authority: string
  /** The caller; only on routes that demand one. */
  readonly principal: Principal
  /** The tenant; only on routes that demand one. */
  readonly tenant: Tenant
  readonly log: Logger
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
  /** The caller has gone away by now, and nobody asks for the answer later. */
  readonly isForsaken: boolean
  /** Node's request, for handlers that stream. */
  readonly request: IncomingMessage
  /** A request header, or undefined. */
  header(name: string): string | undefined
  /** Whether the caller says that it has the version with this entity tag: the answer is then 304. */
  isFresh(etag: string): boolean
  /** Sets a response header. */
  setHeader(name: string, value: string): void
  /** The files of a multipart body, one after the other; text fields are collected in `fields`. */
  files(options: {
    maxFileBytes: number
    maxFiles: number
  }): AsyncIterable<UploadedFile> & { readonly fields: Readonly<Record<string, string>> }
  /** Throws 412/4120 when the caller's If-Match names another version. */
  requireMatch(etag: string): void
}

/** Who may call: closed by default. */
export type RouteAuth = 'none' | 'optional' | 'user' | 'platform' | 'tenant'

/** One endpoint. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Braces mark parameters: `/plugins/{plugin_id}`. */
  readonly path: string
  readonly summary: string
  /** 'user' (signed in, either scope) unless said otherwise. */
  readonly auth?: RouteAuth
  /** Whether an open route wants the tenant of the request's host: 'required' answers 404/4041 without one. */
  readonly tenant?: 'required' | 'optional'
  /** One of the manifest's; where the scopes differ, one for each. */
  readonly permission?: string | { readonly platform: string; readonly tenant: string }
  /** Throws when the route is not there for this caller; asked before the permission, whose refusal would tell that it is. */
  readonly admit?: (state: RequestState) => void
  /** Asked before the body is read, on open routes whose callers bring a credential of another kind: throws when it is none. */
  readonly demandCredential?: (ctx: Pick<RouteContext, 'header' | 'state'>) => Promise<void>
  /** Restrictions under which a caller may use it: what lifts them, and the ways out. None unless said otherwise: 403/4037. */
  readonly whileRestricted?: readonly Restriction[]
  /** Only for the user in person: an administrator who acts in the user's place is refused with 403/4030. */
  readonly inPerson?: boolean
  readonly limit?: RateLimit | (() => RateLimit | Promise<RateLimit>)
  /** Body kinds the route takes; ['json'] where the schema has a body. */
  readonly accepts?: readonly BodyKind[]
  /**
   * Media types it answers with, of which the caller's Accept must take one: JSON where the answer has a schema. The range of all
   * types stands for files that are given as they are, whatever the caller takes.
   */
  readonly produces?: readonly string[]
  /** Headers of each of its answers, refusals included. */
  readonly headers?: Readonly<Record<string, string>>
  /** What the answer to OPTIONS on its path says beside the methods. */
  readonly options?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Its form asks for tokens as OAuth 2 does, by a password or a refresh token: what refuses one is told in RFC 6749's words, an invalid grant as 400. */
  readonly grantsTokens?: 'password' | 'refresh'
  /** Largest JSON body in bytes; 1 MB unless said otherwise. */
  readonly maxBodyBytes?: number
  /** Whether Idempotency-Key is honoured; on for POST routes with a caller, but for uploads, unless set to false. */
  readonly idempotent?: boolean
  /** Whether it answers `Prefer: respond-async` with 202 and where the work can be followed; told in the documentation. */
  readonly respondsAsync?: boolean
  readonly schema?: RouteSchema
  /**
   * What it answers when all is well, where that is not 200 with what `produces` and the response schema say; and failures of which
   * the body is its own. 'any' where others decide, such as the author of a plugin.
   */
  readonly answers?: readonly RouteAnswer[] | 'any'
  /** Statuses and codes it answers beyond the usual, for the documentation. */
  readonly errors?: readonly number[]
  /** Path of the same endpoint that the documentation prefers to this one. */
  readonly aliasOf?: string
  /** Not in /openapi.json. */
  readonly hidden?: boolean
  /** Whether it is in the /openapi.json that a caller reads; for everybody unless said otherwise. One function for many routes is asked once. */
  readonly shownTo?: (state: RequestState) => boolean
  handler(ctx: RouteContext<never, never, never>): unknown
}

type Typed<S, Otherwise> = S extends Schema ? FromSchema<S> : Otherwise
/** A route whose handler's types follow from its schemas. */
type TypedRoute<S extends RouteSchema> = Omit<Route, 'schema' | 'handler'> & {
  readonly schema?: S
  /** The value is the body's data; a stream or a Reply goes out as it is. */
  handler(
    ctx: RouteContext<
      Typed<S['params'], Record<string, string>>,
      Typed<S['query'], Record<string, never>>,
      Typed<S['body'], undefined>
    >,
  ): unknown
}

/** Declares an endpoint. */
export function defineRoute<const S extends RouteSchema>(route: TypedRoute<S>): Route {
  return route
}
