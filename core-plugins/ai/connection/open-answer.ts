import { Readable } from 'node:stream'
import type { ProviderCall } from './call.ts'
import type { ProviderConnection } from './provider-connection.ts'

/** An answer that has begun. */
interface OpenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As it comes; fails with a ProviderCallError. Destroying it closes the connection at once. */
  readonly body: Readable
  /** The first token is there: before, the first token's time runs, from now on the time between two pieces. */
  began(): void
}

/**
 * Sends a request and waits for the head of its answer. Rejects with a ProviderCallError, or with the signal's reason; the signal also ends
 * the body and its connection.
 */
export function openAnswer(
  connection: ProviderConnection,
  call: ProviderCall,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const body = new Readable({
      read: () => exchange.resume(),
      destroy(error, done) {
        signal.removeEventListener('abort', giveUp)
        exchange.abort()
        done(error)
      },
    })
    // Whoever reads still gets the error; whoever has let go of the body must not bring the process down with it.
    body.on('error', () => undefined)
    const giveUp = (): void => {
      reject(signal.reason as Error)
      body.destroy(signal.reason as Error)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    const exchange = connection.open(call, {
      head: (status, headers) => resolve({ status, headers, body, began: () => exchange.began() }),
      piece(bytes) {
        if (!body.push(bytes)) exchange.pause()
      },
      end: () => void body.push(null),
      fail(error) {
        reject(error)
        body.destroy(error)
      },
    })
  })
}
