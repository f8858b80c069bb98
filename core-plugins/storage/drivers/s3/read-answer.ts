import { EgressError, type GuardedStream } from '#kernel'
import { StorageUpstreamError } from '../../errors.ts'

/** Nothing but objects is longer, or takes longer. */
const longest = 65_536
const longestMs = 30_000

/** The text of a short answer; of a long one its beginning. Throws 502/5022 when the answer breaks off. */
export async function readText({ body }: GuardedStream): Promise<string> {
  const chunks: Buffer[] = []
  let received = 0
  const timer = setTimeout(() => body.destroy(new Error('The answer has no end')), longestMs)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      received += chunk.length
      if (received > longest) break
    }
  } catch (cause) {
    throw unreachable(new EgressError('connection_failed', 'The connection broke', cause))
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).toString()
}

/** Lets go of an answer that is not wanted. */
export function discard({ body }: GuardedStream): void {
  body.destroy()
}

/** No answer came, or not a whole one. */
export function unreachable(error: EgressError): Error {
  return new StorageUpstreamError({ fault: error.message }, { details: { reason: error.reason }, cause: error })
}
