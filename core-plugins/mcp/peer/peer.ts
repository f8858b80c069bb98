import { platformVersion, type GuardedFetch, type GuardedStream } from '#kernel'
import { McpAnswerError, McpRefusedError, McpUnreachableError } from '../errors.ts'
import { toHeaderText } from '../wire/header-text.ts'
import { isObject, rpcCodes, type JsonObject, type RpcFault } from '../wire/json-rpc.ts'
import { currentRevision, metaNames, sessionRevision, sessionRevisions } from '../wire/versions.ts'
import { exchange } from './exchange.ts'
import { readAnswer, readFault } from './read-answer.ts'
import type { PeerTarget } from './target.ts'

/** How a server is spoken to, and how it names itself. */
export interface Terms {
  readonly revision: string
  readonly session: string | undefined
  readonly info: { readonly name?: string; readonly version?: string }
}

/** One request. */
interface Asked {
  readonly method: string
  readonly params: JsonObject
  /** What it is about, for a header of the current revision. */
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What became of it. */
interface Reply {
  readonly status: number
  readonly result?: JsonObject
  readonly fault?: RpcFault | undefined
}

const clientInfo = { name: 'stoa', version: platformVersion }
/** Sessions of the revision before these are answered alike. */
const older: readonly string[] = [...sessionRevisions, '2025-03-26']
const accept = 'application/json, text/event-stream'

/** A server of tools: one request a connection, no stream that stays open, nothing done that the server asks for. */
export class Peer {
  readonly #http: Pick<GuardedFetch, 'stream'>
  readonly #target: PeerTarget
  #terms: Promise<Terms> | undefined
  #last = 0

  constructor(http: Pick<GuardedFetch, 'stream'>, target: PeerTarget) {
    this.#http = http
    this.#target = target
  }

  /** Throws an error of the code 5021. */
  terms(signal: AbortSignal): Promise<Terms> {
    this.#terms ??= this.#agree().catch((error: unknown) => {
      this.#terms = undefined
      throw error
    })
    return orAborted(this.#terms, signal)
  }

  /** Throws an error of the code 5021. */
  async request(asked: Asked, signal: AbortSignal): Promise<JsonObject> {
    const terms = await this.terms(signal)
    const before = this.#terms
    const reply = await this.#ask(asked, terms, signal)
    if (reply.status !== 404 || terms.session === undefined) return resultOf(reply)
    // The session is over: another one, once.
    if (this.#terms === before) this.#terms = undefined
    return resultOf(await this.#ask(asked, await this.terms(signal), signal))
  }

  /** Lets a session go; a server that does not care is left alone. */
  async close(): Promise<void> {
    const terms = await this.#terms?.catch(() => undefined)
    this.#terms = undefined
    if (terms?.session === undefined) return
    const sent = { method: 'DELETE', headers: headersOf(terms) } as const
    const read = (answer: GuardedStream): Promise<void> => Promise.resolve(void answer.body.destroy())
    await exchange(this.#http, this.#target, sent, AbortSignal.timeout(2_000), read).catch(() => undefined)
  }

  /** The current revision unless the server has none of it: then a session is opened. */
  async #agree(): Promise<Terms> {
    // Whoever waits may leave while others go on waiting; each request has its own end.
    const { signal } = new AbortController()
    const { revision } = this.#target
    if (revision !== null && older.includes(revision)) return this.#open(signal)
    const current: Terms = { revision: currentRevision, session: undefined, info: {} }
    const { status, result } = await this.#ask({ method: 'server/discover', params: {} }, current, signal)
    if (result) return { ...current, info: infoIn(result) }
    if (status >= 500) throw new McpUnreachableError({ details: { status } })
    return this.#open(signal)
  }

  async #open(signal: AbortSignal): Promise<Terms> {
    const params = { protocolVersion: sessionRevision, capabilities: {}, clientInfo }
    let session: string | undefined
    const reply = await this.#post({ method: 'initialize', params }, {}, signal, ({ headers }) => {
      session = headers['mcp-session-id']
    })
    const result = resultOf(reply)
    const revision = result['protocolVersion']
    if (typeof revision !== 'string' || !older.includes(revision))
      throw new McpAnswerError({ why: 'it speaks no revision that is spoken here' })
    if (session !== undefined && !/^[\x21-\x7e]{1,256}$/.test(session))
      throw new McpAnswerError({ why: 'its session has no name' })
    const terms = { revision, session, info: infoIn(result) }
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const sent = { method: 'POST', headers: headersOf(terms), body } as const
    await exchange(this.#http, this.#target, sent, signal, (answer) => Promise.resolve(void answer.body.destroy()))
    return terms
  }

  #ask(asked: Asked, terms: Terms, signal: AbortSignal): Promise<Reply> {
    const { method, params, name } = asked
    if (terms.revision !== currentRevision) return this.#post(asked, headersOf(terms), signal)
    const meta = { [metaNames.revision]: currentRevision, [metaNames.clientInfo]: clientInfo }
    const whole = { ...params, _meta: { ...meta, [metaNames.clientCapabilities]: {} } }
    const headers = {
      ...{ ...headersOf(terms), 'mcp-method': method },
      ...(name !== undefined && { 'mcp-name': toHeaderText(name) }),
      ...asked.headers,
    }
    return this.#post({ method, params: whole }, headers, signal)
  }

  async #post(
    { method, params }: Pick<Asked, 'method' | 'params'>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    seen?: (answer: GuardedStream) => void,
  ): Promise<Reply> {
    const id = ++this.#last
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const all = { 'content-type': 'application/json', accept, ...headers }
    return exchange(this.#http, this.#target, { method: 'POST', headers: all, body }, signal, async (answer) => {
      seen?.(answer)
      const { status } = answer
      if (status >= 200 && status < 300) return { status, ...(await readAnswer(answer, id)) }
      return { status, fault: await readFault(answer) }
    })
  }
}

function headersOf({ revision, session }: Terms): Readonly<Record<string, string>> {
  const named = session === undefined ? {} : { 'mcp-session-id': session }
  return { 'content-type': 'application/json', accept, 'mcp-protocol-version': revision, ...named }
}

function resultOf({ status, result, fault }: Reply): JsonObject {
  if (result) {
    const kind = result['resultType'] ?? 'complete'
    if (kind === 'complete') return result
    throw new McpAnswerError({ why: 'it asks for more instead' })
  }
  if (!fault) throw new McpUnreachableError({ details: { status } })
  const isUnknown = fault.code === rpcCodes.unknownMethod
  throw new McpRefusedError({ why: isUnknown ? 'it does not know the method' : fault.message })
}

function infoIn(result: JsonObject): Terms['info'] {
  const { _meta: meta, serverInfo } = result
  const info = (isObject(meta) ? meta[metaNames.serverInfo] : undefined) ?? serverInfo
  if (!isObject(info)) return {}
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200).toWellFormed() : undefined)
  const [name, version] = [text(info['name']), text(info['version'])]
  return { ...(name !== undefined && { name }), ...(version !== undefined && { version }) }
}

/** What a promise gives, or the reason of the signal when that comes first. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
