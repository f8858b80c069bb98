import type { RawData, WebSocket } from 'ws'

/** Who listens to a socket. */
interface SocketListener {
  /** A whole message; undefined for one that is no text. */
  message(text: string | undefined): void
  /** A ping or pong of the protocol. */
  sign(): void
  /** The connection is gone; nothing is heard after it. */
  closed(): void
}

const asText = { binary: false }

/** An open WebSocket. */
export class Socket {
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** What was sent and has not left this process, in bytes. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  listen(listener: SocketListener): void {
    const socket = this.#socket
    socket.on('message', (data: RawData, isBinary) => {
      // A buffer of its own: the default of `ws`.
      listener.message(isBinary ? undefined : (data as Buffer).toString())
    })
    socket.on('ping', () => listener.sign())
    socket.on('pong', () => listener.sign())
    socket.on('close', () => listener.closed())
  }

  /** Sends a text as bytes, which several sockets may share; `sent` is called once they have left this process, or never will. */
  send(text: Buffer, sent?: () => void): void {
    this.#socket.send(text, asText, sent)
  }

  ping(): void {
    this.#socket.ping()
  }

  /** Begins to close; the reason is 123 bytes at most. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Cuts the connection. */
  cut(): void {
    this.#socket.terminate()
  }
}
