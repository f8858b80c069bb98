import { ProviderCallError, type ProviderCall } from './call.ts'
import type { ProviderConnection } from './provider-connection.ts'

/** A whole answer. */
interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What is asked for. */
interface WholeOptions {
  /** Of the body. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
  /** Called once the connection stands and the status is known. */
  readonly onHead?: (status: number) => void
}

/**
 * Waits for an answer that comes as a whole: providers say nothing until they have all of it, so the first token's time is that of the
 * call. Rejects with a ProviderCallError, or with the signal's reason.
 */
export function readWhole(
  connection: ProviderConnection,
  call: ProviderCall,
  { maxBytes, signal, onHead }: WholeOptions,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const pieces: Buffer[] = []
    let length = 0
    let status = 0
    let headers: WholeAnswer['headers'] = {}
    const timeouts = { ...call.timeouts, firstTokenMs: call.timeouts.totalMs }
    const exchange = connection.open(
      { ...call, timeouts },
      {
        head(given, fields) {
          status = given
          headers = fields
          exchange.began()
          onHead?.(given)
        },
        piece(bytes) {
          length += bytes.length
          pieces.push(bytes)
          if (length <= maxBytes) return
          exchange.abort()
          end(() => reject(new ProviderCallError('invalid', `The answer is larger than ${maxBytes} bytes`)))
        },
        end: () => end(() => resolve({ status, headers, body: Buffer.concat(pieces, length) })),
        fail: (error) => end(() => reject(error)),
      },
    )
    const giveUp = (): void => {
      exchange.abort()
      reject(signal?.reason as Error)
    }
    const end = (tell: () => void): void => {
      signal?.removeEventListener('abort', giveUp)
      tell()
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
