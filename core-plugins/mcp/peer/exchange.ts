import { AppError, EgressError, type GuardedFetch, type GuardedStream } from '#kernel'
import { McpAuthError, McpTimeoutError, McpTooLargeError, McpUnreachableError } from '../errors.ts'
import type { PeerTarget } from './target.ts'

/** What is sent to a server. */
interface Sent {
  readonly method: 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request through the guard and hands the answer to `read`, all within the server's time. No redirect is followed. */
export async function exchange<T>(
  http: Pick<GuardedFetch, 'stream'>,
  target: PeerTarget,
  { method, headers, body }: Sent,
  signal: AbortSignal,
  read: (answer: GuardedStream) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(target.timeoutMs)
  const both = AbortSignal.any([signal, timeout])
  const send = async (isRefused: boolean): Promise<GuardedStream> => {
    const authorization = await target.authorization(both, isRefused)
    const all = { ...target.headers, ...headers, ...(authorization !== undefined && { authorization }) }
    const request = { url: target.url, method, headers: all, idleMs: target.timeoutMs, signal: both }
    return http.stream({ ...request, ...(body !== undefined && { body }) })
  }
  try {
    let answer = await send(false)
    if (answer.status === 401) {
      answer.body.destroy()
      answer = await send(true)
    }
    if (answer.status === 401 || answer.status === 403) {
      answer.body.destroy()
      throw new McpAuthError()
    }
    if (answer.status >= 300 && answer.status < 400) {
      answer.body.destroy()
      throw new McpUnreachableError({ details: { cause: 'redirect' } })
    }
    return await read(answer)
  } catch (error) {
    if (error instanceof AppError) throw error
    signal.throwIfAborted()
    if (timeout.aborted) throw new McpTimeoutError({ cause: error })
    throw faultOf(error)
  }
}

function faultOf(cause: unknown): AppError {
  if (!(cause instanceof EgressError))
    return new McpUnreachableError({ cause, details: { cause: 'connection_failed' } })
  if (cause.reason === 'timeout') return new McpTimeoutError({ cause })
  if (cause.reason === 'response_too_large') return new McpTooLargeError({ cause })
  return new McpUnreachableError({ cause, details: { cause: cause.reason } })
}
