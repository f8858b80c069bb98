import type { Socket } from 'node:net'
import { EgressError } from './egress-error.ts'

/**
 * Ends a connection that brings more bytes in a row than an answer may cost: what no reader of the body ever sees, such as
 * interim answers and chunk extensions, costs memory and time as well. What is sent begins the count anew.
 */
export function limitWire(socket: Socket, maxBytes: number): Socket {
  const read = socket.read.bind(socket)
  let written = socket.bytesWritten
  let arrived = 0
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten
      arrived = 0
    }
    arrived += chunk?.length ?? 0
    if (arrived <= maxBytes) return chunk
    socket.destroy(new EgressError('response_too_large', 'The answer is larger than it says'))
    return null
  }
  return socket
}
