import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { PreconditionFailedError } from '../errors.ts'
import type { Principal, Tenant } from '../identity.ts'
import type { Logger } from '../log.ts'
import type { ServiceTable } from '../service.ts'
import { matchesVersion, quoteEtag } from './etag.ts'
import { clientIp, requestAuthority, requestHost } from './ip.ts'
import { localeOf, type Locale } from '../locale/locale.ts'
import { readFiles } from './multipart.ts'
import { readTarget } from './request-line.ts'
import type { RequestState, Route, RouteContext } from './route.ts'
import type { ServerState } from './server-state.ts'
import { trustedProxies, type TrustedProxies } from './trusted-proxies.ts'

/** What of Koa's context is used: the pair of Node, and the reading of headers. */
type KoaRequest = Pick<Context, 'req' | 'res' | 'status' | 'set' | 'remove' | 'fresh' | 'accepts' | 'is' | 'request'>

/** One request on its way from the socket to the handler; the endpoint fills in what it learns. */
export class RequestContext implements RouteContext, RequestState {
  readonly method: string
  readonly path: string
  /** The query's text, without the question mark. */
  readonly search: string
  readonly traceId: string
  readonly koa: KoaRequest
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: ServerState
  /** Headers of the answer that the pipeline sets, also when the handler fails. */
  readonly pipelineHeaders: Record<string, string> = {}
  /** Headers of the answer that the handler sets. */
  handlerHeaders: Record<string, string> = {}
  log: Logger
  /** The route it came to, once that is known. */
  route: Route | undefined = undefined
  /** The plugin that the route is of. */
  plugin = ''
  params: Record<string, string> = {}
  query: Record<string, unknown> = {}
  body: unknown = undefined
  /** The body's bytes, where it was read whole. */
  rawBody: Buffer | undefined = undefined
  /** The body passes through unread: the handler reads it. */
  isBodyLeft = false
  /** The work goes on when the caller goes away, because it comes again and asks for the answer. */
  outlivesCaller = false
  /** The caller and its tenant; the type is that of routes that demand them, `state` tells the whole truth. */
  principal = undefined as unknown as Principal
  tenant = undefined as unknown as Tenant
  readonly #services: ServiceTable
  #ip: string | undefined = undefined
  #locale: Locale | undefined = undefined
  #gone: AbortController | undefined = undefined

  constructor(
    koa: KoaRequest,
    traceId: string,
    parts: { readonly log: Logger; readonly services: ServiceTable },
    server: ServerState,
  ) {
    const { req: request, res: response } = koa
    const target = readTarget(request)
    const question = target.indexOf('?')
    this.method = request.method ?? 'GET'
    this.path = question === -1 ? target : target.slice(0, question)
    this.search = question === -1 ? '' : target.slice(question + 1)
    this.traceId = traceId
    this.koa = koa
    this.request = request
    this.response = response
    this.log = parts.log
    this.server = server
    this.#services = parts.services
  }

  get state(): RequestState {
    return this
  }

  get ip(): string {
    return (this.#ip ??= clientIp(this.request, this.#proxies))
  }

  get locale(): Locale {
    return (this.#locale ??= localeOf(this.request.headers['accept-language']))
  }

  /** The host it is for, in lower case and without port. */
  get host(): string {
    return requestHost(this.request, this.#proxies)
  }

  get authority(): string {
    return requestAuthority(this.request, this.#proxies)
  }

  get #proxies(): TrustedProxies | undefined {
    return this.#services.find(trustedProxies)
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal
    const gone = new AbortController()
    this.#gone = gone
    if (this.outlivesCaller) return gone.signal
    const abort = (): void => {
      if (!this.response.writableFinished) gone.abort()
    }
    if (this.response.closed) abort()
    else this.response.once('close', abort)
    return gone.signal
  }

  get isForsaken(): boolean {
    return !this.outlivesCaller && this.response.closed && !this.response.writableFinished
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }

  setHeader(name: string, value: string): void {
    this.handlerHeaders[name.toLowerCase()] = value
  }

  files(options: { maxFileBytes: number; maxFiles: number }): ReturnType<RouteContext['files']> {
    return readFiles(this.request, options)
  }

  isFresh(etag: string): boolean {
    const { koa } = this
    const { 'if-none-match': known, 'cache-control': control } = this.request.headers
    if (known === undefined) return false
    // What browsers send: the one tag that they were given.
    if (known === etag && control === undefined) return this.method === 'GET' || this.method === 'HEAD'
    // The tag stands before the time (RFC 9110, section 13.1.3), which the library behind Koa would ask for, too.
    delete this.request.headers['if-modified-since']
    // Koa compares with the answer, so the tag stands in it for a moment.
    koa.status = 200
    koa.set('etag', etag)
    const { fresh } = koa
    koa.remove('etag')
    // With its status Koa sets the words beside it, which are those of the answer to come.
    this.response.statusMessage = ''
    return fresh
  }

  requireMatch(etag: string): void {
    const wanted = this.request.headers['if-match']
    if (wanted !== undefined && !matchesVersion(wanted, quoteEtag(etag))) throw new PreconditionFailedError()
  }
}
