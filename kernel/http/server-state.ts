import type { Socket } from 'node:net'

/** What requests ask about the server they came to. */
export class ServerState {
  readonly #stop = new AbortController()
  /** Whether it accepts nobody any more: each connection closes with its next answer. */
  isDraining = false
  /** Connections that brought no request yet; Node does not count them as idle. */
  readonly unused = new Set<Socket>()

  /** Aborted when answers without an end shall end. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Watches a new connection until it brings a request. */
  watch(socket: Socket): void {
    this.unused.add(socket)
    socket.once('close', () => this.unused.delete(socket))
  }

  /** Closes the connections on which nobody has said a word. */
  closeUnused(): void {
    for (const socket of this.unused) if (socket.bytesRead === 0) socket.destroy()
  }

  /** Asks answers without an end to end. */
  stop(): void {
    this.#stop.abort()
  }
}
