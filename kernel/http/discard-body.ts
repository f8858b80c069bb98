import type { IncomingMessage } from 'node:http'

const mostDiscarded = 16 * 1024 * 1024

/** Reads and forgets what the caller still sends, so that it gets to read the answer; who sends too much is cut off. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let discarded = 0
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > mostDiscarded) request.destroy()
  })
  request.on('error', () => undefined)
  request.resume()
}
