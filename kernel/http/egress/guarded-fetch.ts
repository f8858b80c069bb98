import { Agent, type Dispatcher } from 'undici'
import { EgressError } from './egress-error.ts'
import { checkUrl, explain, flatten } from './exchange.ts'
import { createGuardedConnector, createHostCheck } from './guarded-connector.ts'
import { openStream, type GuardedStream, type GuardedStreamRequest } from './guarded-stream.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { createResolve } from './resolver.ts'

/** A request to a server that somebody else chose. */
export interface GuardedRequest {
  readonly url: URL
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** For everything, from the lookup to the last byte. */
  readonly timeoutMs?: number
  /** Of the answer, decoded; never more than the client's limit. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** Takes room for so many more bytes of a large answer, which are not read before. */
  readonly room?: (bytes: number) => Promise<void>
}

/** The whole answer; a redirect is an answer like any other. */
export interface GuardedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends requests to public addresses only. Disposing it closes its connections. */
export interface GuardedFetch extends AsyncDisposable {
  /** Throws an EgressError where no whole answer came. */
  fetch(request: GuardedRequest): Promise<GuardedResponse>
  /** For answers too large to be held: only the headers are waited for. Throws an EgressError where no answer begins. */
  stream(request: GuardedStreamRequest): Promise<GuardedStream>
  /** Looks up where a URL leads and connects to nothing; throws an EgressError when it leads nowhere or must not be reached. */
  check(url: URL): Promise<void>
}

/** What the operator set for outgoing requests. */
export interface GuardedFetchOptions {
  readonly egressAllowPrivate: ReadonlySet<string>
  readonly dnsServers: readonly string[]
  /** More to trust than the system's certificates. */
  readonly ca?: string
  /** What a request may cost, where the usual limits do not fit. */
  readonly limits?: Partial<EgressLimits>
}

/** What a request may cost at most. */
interface EgressLimits {
  readonly connectMs: number
  /** For a request that says nothing else. */
  readonly timeoutMs: number
  /** Of an answer whose request says nothing else, decoded. */
  readonly responseBytes: number
  readonly responseHeaderBytes: number
  /** Bytes after decoding for each byte that came. */
  readonly decodeRatio: number
}

const keepAliveMs = 4_000
const connectionsPerOrigin = 16
/** Answers such as 103 before the one that was asked for. */
const maxInterimAnswers = 16
/** For each byte that an answer may have, for what it comes wrapped in. */
const wireFactor = 2
/** One reading from a connection, so that what is too large is told by what is wrong with it. */
const wireFloor = 65_536
const usualLimits: EgressLimits = {
  connectMs: 3_000,
  timeoutMs: 10_000,
  responseBytes: 5 * 1_048_576,
  responseHeaderBytes: 32 * 1_024,
  decodeRatio: 20,
}

/** Makes a client that resolves once, connects to the checked address, follows no redirect, and caps time and bytes. */
export function createGuardedFetch({
  egressAllowPrivate,
  dnsServers,
  ca,
  limits: given,
}: GuardedFetchOptions): GuardedFetch {
  const limits = { ...usualLimits, ...given }
  const resolve = createResolve({ dnsServers, named: egressAllowPrivate })
  const checkHost = createHostCheck(resolve, egressAllowPrivate)
  const createAgent = (wireBytes?: number): Agent => {
    const connector = { resolve, exceptions: egressAllowPrivate, timeoutMs: limits.connectMs }
    const more = { ...(wireBytes === undefined ? {} : { wireBytes }), ...(ca === undefined ? {} : { ca }) }
    return new Agent({
      connect: createGuardedConnector({ ...connector, ...more }),
      connections: connectionsPerOrigin,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: limits.responseHeaderBytes,
    })
  }
  const agent = createAgent(wireFloor + wireFactor * (limits.responseBytes + limits.responseHeaderBytes))
  const streaming = createAgent()
  return {
    fetch: (request) => send(agent, request, limits),
    stream: (request) => openStream(streaming, request),
    async check(url) {
      checkUrl(url)
      await checkHost(url)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), streaming.destroy()])
    },
  }
}

async function send(agent: Agent, request: GuardedRequest, limits: EgressLimits): Promise<GuardedResponse> {
  const { url, signal, timeoutMs = limits.timeoutMs } = request
  const maxBytes = Math.min(request.maxBytes ?? limits.responseBytes, limits.responseBytes)
  checkUrl(url)
  const timeout = AbortSignal.timeout(timeoutMs)
  const abort = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const answer = await agent.request({ ...dispatchOptions(request), signal: abort })
    const headers = flatten(answer.headers)
    const bodyLimits = { bytes: maxBytes, ratio: limits.decodeRatio, ...(request.room && { room: request.room }) }
    const body = await readBody(answer.body, headers['content-encoding'], bodyLimits, abort)
    return { status: answer.statusCode, headers, body }
  } catch (error) {
    if (signal?.aborted) throw new EgressError('aborted', 'Nobody waits for the answer any more', error)
    throw explain(error, timeout.aborted)
  }
}

function dispatchOptions({ url, method, headers, body }: GuardedRequest): Dispatcher.RequestOptions {
  let interim = 0
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: method,
    headers: { 'user-agent': 'stoa', ...headers, 'accept-encoding': acceptedEncodings },
    ...(body === undefined ? {} : { body }),
    headersTimeout: 0,
    bodyTimeout: 0,
    onInfo() {
      if (++interim > maxInterimAnswers) {
        throw new EgressError('response_invalid', 'Too many answers come before the one that was asked for')
      }
    },
  }
}
