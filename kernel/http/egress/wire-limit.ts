import type { Socket } from 'node:net'
import { EgressError } from './egress-error.ts'

/** The parser reads what it was given to its end, even past a fault, and a few bytes may be many headers or chunks. */
const slice = 4_096
/** How long one connection may be read before everything else has its turn. */
const turnMs = 2

/**
 * Hands on what arrives in slices and in turns, and ends a connection that brings more bytes in a row than an answer may cost:
 * what no reader of a body ever sees, such as interim answers, chunk extensions and trailers, costs memory and time as well.
 * What is sent begins the count anew.
 */
export function limitWire(socket: Socket, maxBytes: number): Socket {
  const read = socket.read.bind(socket)
  let written = socket.bytesWritten
  let arrived = 0
  let turnBegan: number | undefined
  let isHeldBack = false

  function endTurn(): void {
    turnBegan = undefined
    if (!isHeldBack) return
    isHeldBack = false
    if (!socket.destroyed) socket.emit('readable')
  }

  function mayGoOn(): boolean {
    if (turnBegan === undefined) {
      turnBegan = performance.now()
      setImmediate(endTurn)
    } else if (performance.now() - turnBegan > turnMs) {
      isHeldBack = socket.readableLength > 0
    }
    return !isHeldBack
  }

  socket.read = (size?: number): unknown => {
    if (!mayGoOn()) return null
    const chunk = read(size ?? (socket.readableLength > slice ? slice : undefined)) as Buffer | null
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
