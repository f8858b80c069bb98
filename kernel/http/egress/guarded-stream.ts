import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { EgressError } from './egress-error.ts'
import { checkUrl, explain, flatten } from './exchange.ts'

/** A request whose answer is too large to be held. */
export interface GuardedStreamRequest {
  readonly url: URL
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  /** One that comes in pieces is idle while none leaves; its length is the caller's to say. */
  readonly body?: string | Buffer | Readable
  /** The longest silence: before the answer begins, and between two pieces of it. */
  readonly idleMs?: number
  readonly signal?: AbortSignal
}

/** An answer whose body is still on its way; whoever asked reads it to its end or destroys it. A redirect is an answer like any other. */
export interface GuardedStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As it came: nothing is decoded. */
  readonly body: Readable
}

const usualIdleMs = 30_000

/** Sends a request and hands over the answer's body as it comes; throws an EgressError where no answer begins. */
export async function openStream(agent: Agent, request: GuardedStreamRequest): Promise<GuardedStream> {
  const { url, method, headers, body, signal, idleMs = usualIdleMs } = request
  checkUrl(url)
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method,
      headers: { 'user-agent': 'stoa', ...headers, 'accept-encoding': 'identity' },
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    // Whoever reads still gets the error; whoever has let go of the body must not bring the process down with it.
    const arriving = answer.body.on('error', () => undefined)
    return { status: answer.statusCode, headers: flatten(answer.headers), body: arriving }
  } catch (error) {
    if (signal?.aborted) throw new EgressError('aborted', 'Nobody waits for the answer any more', error)
    throw explain(error, false)
  }
}
