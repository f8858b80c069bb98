import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { StandingAnswers } from './standing-answers.ts'

/** What requests ask about the server they came to. */
export class ServerState {
  readonly #stop = new AbortController()
  /** Whether it accepts nobody any more: each connection closes with its next answer. */
  isDraining = false
  /** Connections that brought no request yet; Node does not count them as idle. */
  readonly unused = new Set<Socket>()
  /** What it would say again to whoever asks for the same. */
  readonly standing = new StandingAnswers()
  /** Connections that became WebSockets, which Node leaves to us. */
  readonly upgraded = new Set<Duplex>()

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

  /** Keeps a connection that became a WebSocket until it closes. */
  keep(socket: Duplex): void {
    this.upgraded.add(socket)
    socket.once('close', () => this.upgraded.delete(socket))
  }

  /** Cuts the WebSockets that nobody has closed. */
  cutUpgraded(): void {
    for (const socket of this.upgraded) socket.destroy()
  }

  /** Asks answers without an end to end. */
  stop(): void {
    this.#stop.abort()
  }
}
