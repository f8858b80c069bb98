import { finished, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AnswerHeaders } from './answer-headers.ts'
import type { Trailers } from './reply.ts'
import type { RequestContext } from './request-context.ts'

/** Sends a stream; one that fails before its first byte throws, one that fails later cuts the connection, for the caller must not take it for whole. */
export async function sendStream(
  ctx: RequestContext,
  status: number,
  headers: AnswerHeaders,
  source: Readable,
  trailers?: Trailers,
): Promise<void> {
  const { response } = ctx
  if (trailers) headers['trailer'] = trailers.names.join(', ')
  const abandon = (): void => void source.destroy()
  response.once('close', abandon)
  try {
    await firstBytes(source)
    if (response.destroyed) return
    response.writeHead(status, headers)
    if (ctx.method === 'HEAD') response.end()
    else if (!trailers) await pipeline(source, response)
    else {
      await pipeline(source, response, { end: false })
      response.addTrailers(trailers.values())
      response.end()
    }
  } catch (error) {
    if (!response.headersSent && !response.destroyed) throw error
    if (!isAbandoned(error)) ctx.log.error({ err: error }, 'a stream failed halfway')
    response.destroy()
  } finally {
    response.off('close', abandon)
    source.destroy()
  }
}

/** Waits until there is something to send, or nothing at all. */
function firstBytes(source: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = finished(source, { writable: false }, (error) => (error ? reject(error) : resolve()))
  source.once('readable', () => resolve())
  return promise.finally(stop)
}

/** Whether a stream ended because its reader went away. */
function isAbandoned(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
