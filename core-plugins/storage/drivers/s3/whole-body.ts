import { Readable } from 'node:stream'
import { EgressError, type GuardedStream } from '#kernel'
import { StorageUpstreamError } from '../../errors.ts'
import { discard, unreachable } from './read-answer.ts'

/** A body that ends with an error when it is shorter or longer than was told, and never by silence. */
export function wholeBody(answer: GuardedStream, length: number): Readable {
  async function* pass(): AsyncGenerator<Buffer> {
    let received = 0
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        received += chunk.length
        if (received > length) break
        yield chunk
      }
    } catch (cause) {
      throw unreachable(new EgressError('connection_failed', 'The connection broke', cause))
    }
    if (received === length) return
    throw new StorageUpstreamError({ fault: 'wrong length' }, { details: { reason: 'wrong_length' } })
  }
  const whole = Readable.from(pass(), { objectMode: false })
  // A generator that nobody began does not let go of what it would have read.
  whole.once('close', () => discard(answer))
  return whole
}
