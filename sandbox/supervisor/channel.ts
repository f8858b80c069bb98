import type { Socket } from 'node:net'

import { createFrameReader, encodeFrame, type Frame, type FrameType } from '../host/frames.ts'

/** Above this many unsent bytes the sender should wait for `drained`. */
const CONGESTED = 4 * 1024 * 1024

/** Framed messages over one end of a socket pair; the sandbox host uses the same class on its end. */
export class Channel {
  readonly #socket: Socket
  #corked = false

  /** However the connection ends, `onClose` is called once; with an error when the other side sent what is no frame. */
  constructor(socket: Socket, onFrame: (frame: Frame) => void, onClose: (broken?: Error) => void) {
    this.#socket = socket
    const read = createFrameReader()
    let broken: Error | undefined
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of read(chunk)) onFrame(frame)
      } catch (error) {
        broken = error instanceof Error ? error : new Error(String(error))
        socket.destroy()
      }
    })
    // An error of the socket says that the other side is gone, and so does the close that follows.
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    socket.once('close', () => onClose(broken))
  }

  /** Frames sent in one turn of the event loop leave in one write: writing costs more than anything else of a small call. */
  send(type: FrameType, id: number, ...fields: readonly string[]): void {
    if (this.#socket.destroyed) return
    if (!this.#corked) {
      this.#corked = true
      this.#socket.cork()
      setImmediate(() => {
        this.#corked = false
        this.#socket.uncork()
      })
    }
    this.#socket.write(encodeFrame({ type, id, fields }))
  }

  /** True while the other side reads slower than this one writes. */
  get isCongested(): boolean {
    return this.#socket.writableLength > CONGESTED
  }

  /** Resolves when what was sent has left, or when nobody is there to read it. */
  async drained(): Promise<void> {
    if (!this.isCongested || this.#socket.destroyed) return
    await new Promise<void>((resolve) => {
      this.#socket.once('drain', resolve)
      this.#socket.once('close', resolve)
    })
  }

  close(): void {
    this.#socket.destroy()
  }
}
