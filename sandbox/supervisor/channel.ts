import type { Socket } from 'node:net'

import { createFrameReader, encodeFrames, type Frame, type FrameType } from '../host/frames.ts'

/** Above this many unsent bytes or characters the sender should wait for `drained`. */
const CONGESTED = 4 * 1024 * 1024

/** Framed messages over one end of a socket pair; the sandbox host uses the same class on its end. */
export class Channel {
  readonly #socket: Socket
  #unsent: Frame[] = []
  #unsentLength = 0

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

  /** Frames sent in one turn of the event loop leave in one packet: writing costs more than all else of a small call. */
  send(type: FrameType, id: number, ...fields: readonly string[]): void {
    if (this.#socket.destroyed) return
    if (this.#unsent.push({ type, id, fields }) === 1) setImmediate(() => this.#flush())
    for (const field of fields) this.#unsentLength += field.length
  }

  /** True while the other side reads slower than this one writes. */
  get isCongested(): boolean {
    return this.#socket.writableLength + this.#unsentLength > CONGESTED
  }

  /** Resolves when what was sent has left, or when nobody is there to read it. */
  async drained(): Promise<void> {
    if (!this.isCongested || this.#socket.destroyed) return
    this.#flush()
    if (this.#socket.writableLength === 0) return
    await new Promise<void>((resolve) => {
      this.#socket.once('drain', resolve)
      this.#socket.once('close', resolve)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #flush(): void {
    const frames = this.#unsent
    this.#unsent = []
    this.#unsentLength = 0
    if (frames.length > 0 && !this.#socket.destroyed) this.#socket.write(encodeFrames(frames))
  }
}
