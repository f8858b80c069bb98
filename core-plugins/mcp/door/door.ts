import {
  AppError,
  bare,
  eventStream,
  RateLimitedError,
  raw,
  type Logger,
  type OriginPolicy,
  type RateLimiter,
  type Reply,
  type RouteContext,
} from '#kernel'
import { McpOriginError } from '../errors.ts'
import {
  isObject,
  isRequestId,
  RpcError,
  rpcCodes,
  type JsonObject,
  type RequestId,
  type RpcRequest,
} from '../wire/json-rpc.ts'
import { revisions, sessionRevisions } from '../wire/versions.ts'
import { answer, handshake, resultOf, toolsMark, unknown, type AnswerParts, type Asked } from './answers.ts'
import type { Callers, McpCaller } from './caller.ts'
import type { McpCalls } from './calls.ts'
import type { Listeners } from './listeners.ts'
import { offersFor } from './offers.ts'
import { readMessage, textIn } from './read-message.ts'
import type { McpSessions } from './sessions.ts'
import { listening, progressing } from './streams.ts'

/** What the door stands on. */
interface DoorParts extends AnswerParts {
  readonly callers: Callers
  readonly sessions: McpSessions
  readonly calls: McpCalls
  readonly listeners: Listeners
  readonly limiter: RateLimiter
  readonly origins: OriginPolicy
  readonly metadataUrl: string
  readonly log: Logger
}

/** What is asked of a request. */
type Ctx = Pick<RouteContext, 'header' | 'state' | 'signal' | 'body'>

const limit = { requests: 600, seconds: 60 }
const json = 'application/json; charset=utf-8'

/** Speaks the Model Context Protocol to clients. */
export class Door {
  readonly #parts: DoorParts

  constructor(parts: DoorParts) {
    this.#parts = parts
  }

  /** Refuses pages of other places and who has no credential, before the body is taken. */
  async admit(ctx: Pick<RouteContext, 'header' | 'state'>): Promise<void> {
    const { origins, callers, limiter, metadataUrl } = this.#parts
    const origin = ctx.header('origin')
    if (origin !== undefined && !(await origins.allowed(origin))) throw new McpOriginError()
    const { id } = await callers.of(ctx, metadataUrl)
    const { allowed, resetSeconds } = await limiter.hit(`mcp:${id}`, limit.requests, limit.seconds)
    if (allowed) return
    const wait = Math.max(1, Math.ceil(resetSeconds))
    throw new RateLimitedError({ headers: { 'retry-after': String(wait) }, details: { retry_after: wait } })
  }

  async post(ctx: Ctx): Promise<Reply> {
    let id: RequestId | undefined
    try {
      const caller = await this.#callerOf(ctx)
      const message = readMessage(ctx.body, ctx)
      id = message?.request.id
      // What a client answers nobody asked.
      if (!message) return raw('', json, { status: 202 })
      const asked = { caller, locale: ctx.state.locale, isCurrent: message.isCurrent }
      return await this.#handle(message.request, asked, ctx)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const { fault, status } = error
      return bare({ jsonrpc: '2.0', id: id ?? null, error: fault }, { status })
    }
  }

  /** The stream of a session, on which the server tells what changes. */
  async listen(ctx: Ctx): Promise<Reply> {
    const caller = await this.#callerOf(ctx)
    let session: string
    try {
      session = await this.#demandSession(ctx, caller)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return bare({ jsonrpc: '2.0', id: null, error: error.fault }, { status: error.status })
    }
    return this.#listening(ctx, caller, { session })
  }

  async end(ctx: Ctx): Promise<Reply> {
    const caller = await this.#callerOf(ctx)
    const isEnded = await this.#parts.sessions.end(ctx.header('mcp-session-id') ?? '', caller.id)
    // Its stream ends with it.
    if (isEnded) this.#parts.listeners.wake()
    if (isEnded) return raw('', json, { status: 204 })
    const error = { code: rpcCodes.unknownSession, message: 'Session not found' }
    return bare({ jsonrpc: '2.0', id: null, error }, { status: 404 })
  }

  #callerOf(ctx: Ctx): Promise<McpCaller> {
    return this.#parts.callers.of(ctx, this.#parts.metadataUrl)
  }

  async #handle(request: RpcRequest, asked: Asked, ctx: Ctx): Promise<Reply> {
    const { id, method, params } = request
    const { caller, isCurrent } = asked
    if (!isCurrent && method === 'initialize' && id !== undefined) return this.#open(id, params, caller)
    const session = isCurrent ? undefined : await this.#demandSession(ctx, caller)
    if (id === undefined) {
      const given = params['requestId']
      const isCancelled = method === 'notifications/cancelled' && session !== undefined && isRequestId(given)
      if (isCancelled) await this.#parts.calls.cancel(callName(session, given))
      return raw('', json, { status: 202 })
    }
    if (method === 'tools/call') return this.#call(request, asked, ctx, session)
    if (isCurrent && method === 'subscriptions/listen') return this.#subscribe(id, params, ctx, caller)
    const result = await answer(method, params, asked, this.#parts)
    if (result) return bare({ jsonrpc: '2.0', id, result: resultOf(result, asked) })
    throw new RpcError(rpcCodes.unknownMethod, 'Method not found', { status: isCurrent ? 404 : 200 })
  }

  async #open(id: RequestId, params: JsonObject, caller: McpCaller): Promise<Reply> {
    const result = handshake(params)
    const session = await this.#parts.sessions.open({ caller: caller.id, revision: result.protocolVersion })
    return bare({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': session } })
  }

  async #call(request: RpcRequest, asked: Asked, ctx: Ctx, session: string | undefined): Promise<Reply> {
    const { params } = request
    const id = request.id as RequestId
    const name = textIn(params, 'name')
    const input = params['arguments'] ?? {}
    const offer = (await offersFor(asked.caller, this.#parts, asked.locale)).get(name)
    if (!offer) throw unknown('tool')
    const { caller, locale } = asked
    const { traceId } = ctx.state
    const context = { caller, locale, traceId, idempotencyKey: `${traceId}:${String(id)}`, signal: ctx.signal }
    const cancelled = session === undefined ? undefined : callName(session, id)
    const ready = await this.#parts.calls.ready(offer, input, context, cancelled)
    const meta = isObject(params['_meta']) ? params['_meta'] : {}
    const token = meta['progressToken']
    const message = async (): Promise<JsonObject> => ({ id, result: resultOf(await ready.run(), asked) })
    if (isRequestId(token) && /text\/event-stream/i.test(ctx.header('accept') ?? ''))
      return eventStream(progressing(token, message()))
    return bare({ jsonrpc: '2.0', ...(await message()) })
  }

  #subscribe(id: RequestId, { notifications }: JsonObject, ctx: Ctx, caller: McpCaller): Reply {
    if (!isObject(notifications)) throw new RpcError(rpcCodes.invalidParams, 'notifications must be an object')
    return this.#listening(ctx, caller, { subscription: id })
  }

  #listening(
    ctx: Ctx,
    caller: McpCaller,
    { session, subscription }: { readonly session?: string; readonly subscription?: RequestId },
  ): Reply {
    const { callers, listeners, sessions } = this.#parts
    const { locale } = ctx.state
    const tools = async (): Promise<string | undefined> => {
      try {
        // A stream does not keep its session, and is over with it.
        if (session !== undefined && !(await sessions.isOpen(session, caller.id))) return undefined
        return await toolsMark(await callers.again(ctx), this.#parts, locale)
      } catch (error) {
        // Who may not call any more hears nothing any more.
        if (error instanceof AppError && error.status < 500) return undefined
        throw error
      }
    }
    const seat = listeners.take(caller.id)
    const wait = (signal: AbortSignal): Promise<void> => seat.wait(signal)
    return eventStream(seated(listening(tools, wait, ctx.signal, subscription), seat))
  }

  /** Throws an RpcError for a request outside of a session. */
  async #demandSession(ctx: Ctx, caller: McpCaller): Promise<string> {
    const version = ctx.header('mcp-protocol-version')
    if (version !== undefined && !revisions.includes(version) && version !== '2025-03-26')
      throw new RpcError(
        rpcCodes.refused,
        `Unsupported protocol version: these are spoken: ${sessionRevisions.join(', ')}`,
      )
    const id = ctx.header('mcp-session-id')
    if (id === undefined) throw new RpcError(rpcCodes.refused, 'Mcp-Session-Id is missing: initialize first')
    if ((await this.#parts.sessions.use(id, caller.id)) !== undefined) return id
    throw new RpcError(rpcCodes.unknownSession, 'Session not found', { status: 404 })
  }
}

async function* seated<T>(events: AsyncIterable<T>, seat: Disposable): AsyncGenerator<T> {
  try {
    yield* events
  } finally {
    seat[Symbol.dispose]()
  }
}

function callName(session: string, id: RequestId): string {
  return `${session} ${JSON.stringify(id)}`
}
