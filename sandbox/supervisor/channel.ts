import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'

import { createFrameReader, encodeFrames, type Frame, type FrameType } from '../host/frames.ts'

/** Above this many unsent bytes or characters the sender should wait for `drained`. */
const CONGESTED = 4 * 1024 * 1024

/** What a channel tells whoever holds it. */
export interface ChannelEvents {
  readonly onFrame: (frame: Frame) => void
  /** However the connection ends, called once; with an error when the other side sent what is no frame. */
  readonly onClose: (broken?: Error) => void
}

/** Framed messages over one end of a socket pair; the sandbox host uses the same class on its end. */
export class Channel {
  readonly #socket: Socket
  readonly #descriptor: number | undefined
  readonly #onFrame: (frame: Frame) => void
  readonly #read = createFrameReader()
  #broken: Error | undefined
  #unsent: Frame[] = []
  #unsentLength = 0

  /** With a descriptor, packets are written to it straight: interpreted, a stream costs more than all else of a small call. */
  constructor(socket: Socket, { onFrame, onClose }: ChannelEvents, descriptor?: number) {
    this.#socket = socket
    this.#descriptor = descriptor
    this.#onFrame = onFrame
    // An error of the socket says that the other side is gone, and so does the close that follows.
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    socket.once('close', () => onClose(this.#broken))
  }

  /** Takes bytes that came in; they may be overwritten afterwards. */
  receive(chunk: Buffer): void {
    try {
      for (const frame of this.#read(chunk)) this.#onFrame(frame)
    } catch (error) {
      this.#broken = error instanceof Error ? error : new Error(String(error))
      this.#socket.destroy()
    }
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

  /** Resolves when what was sent has left, or when nobody is there to read it; with false when neither happens in time. */
  async drained(withinMs?: number): Promise<boolean> {
    if (!this.isCongested || this.#socket.destroyed) return true
    this.#flush()
    if (this.#socket.writableLength === 0) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const hasLeft = (): void => resolve(true)
    const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs, false)
    this.#socket.once('drain', hasLeft).once('close', hasLeft)
    const isInTime = await promise
    clearTimeout(timer)
    this.#socket.off('drain', hasLeft).off('close', hasLeft)
    return isInTime
  }

  close(): void {
    this.#socket.destroy()
  }

  #flush(): void {
    const frames = this.#unsent
    this.#unsent = []
    this.#unsentLength = 0
    if (frames.length === 0 || this.#socket.destroyed) return
    const packet = encodeFrames(frames)
    const written = this.#writeStraight(packet)
    if (written < packet.length) this.#socket.write(packet.subarray(written))
  }

  /** How many bytes left at once; what does not, and what comes after it, waits in the stream. */
  #writeStraight(packet: Buffer): number {
    if (this.#descriptor === undefined || this.#socket.writableLength > 0) return 0
    try {
      return writeSync(this.#descriptor, packet)
    } catch {
      return 0
    }
  }
}
