import { EgressError, type GuardedStream } from '#kernel'
import { StorageUpstreamError } from '../../errors.ts'

/** Nothing but objects is longer. */
const longest = 65_536

/** The text of a short answer; of a long one its beginning. Throws 502/5022 when the answer breaks off, or the call's time is over. */
export async function readText({ body }: GuardedStream): Promise<string> {
  const chunks: Buffer[] = []
  let received = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      received += chunk.length
      if (received > longest) break
    }
  } catch (cause) {
    if (cause instanceof EgressError) throw unreachable(cause)
    throw unreachable(new EgressError('connection_failed', 'The connection broke', cause))
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
