import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'

import { createFrameReader, encodeFrames, type Frame, type FrameType } from './frames.ts'
import { unasked } from './sizes.ts'

/** Above this many unsent bytes or characters the sender should wait for `drained`. */
const congested = 4 * 1024 * 1024

/** What a channel tells whoever holds it. */
interface ChannelEvents {
  readonly onFrame: (frame: Frame) => void
  /** However the connection ends, called once; with an error when the other side sent what is no frame. */
  readonly onClose: (broken?: Error) => void
  /** What this thread spent on putting a large message of a call together, or taking it apart. */
  readonly onSpent?: (call: number, milliseconds: number) => void
}

/** What sends through a channel and does not hold it. */
export type Outlet = Pick<Channel, 'send' | 'whenSent'>

/** Framed messages over one end of a socket pair; the sandbox host uses the same class on its end. */
export class Channel {
  readonly #socket: Socket
  readonly #descriptor: number | undefined
  readonly #onFrame: (frame: Frame) => void
  readonly #onSpent: ChannelEvents['onSpent']
  readonly #read = createFrameReader((bytes, work) => (bytes > unasked ? this.#measure(work) : work()))
  #broken: Error | undefined
  #unsent: Frame[] = []
  #unsentLength = 0
  #onSent: (() => void)[] = []

  /** With a descriptor, packets are written to it straight: interpreted, a stream costs more than all else of a small call. */
  constructor(socket: Socket, { onFrame, onClose, onSpent }: ChannelEvents, descriptor?: number) {
    this.#socket = socket
    this.#descriptor = descriptor
    this.#onFrame = onFrame
    this.#onSpent = onSpent
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

  /** Calls the function when all that was sent so far has left this process; never, when it does not. */
  whenSent(hasLeft: () => void): void {
    if (this.#unsent.length === 0 && this.#socket.writableLength === 0) return hasLeft()
    this.#onSent.push(hasLeft)
  }

  /** True while the other side reads slower than this one writes. */
  get isCongested(): boolean {
    return this.#socket.writableLength + this.#unsentLength > congested
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
    const hasLeft = this.#onSent
    const length = this.#unsentLength
    this.#unsent = []
    this.#unsentLength = 0
    if (frames.length === 0 || this.#socket.destroyed) return
    if (length <= unasked) this.#write(encodeFrames(frames))
    else
      for (const group of inGroups(frames))
        this.#write(group.length > 1 ? encodeFrames(group) : this.#encodeLarge(group))
    if (hasLeft.length === 0) return
    this.#onSent = []
    const tell = (): void => hasLeft.forEach((tellOne) => tellOne())
    if (this.#socket.writableLength === 0) tell()
    else this.#socket.write('', tell)
  }

  #encodeLarge(group: readonly Frame[]): readonly Buffer[] {
    let packets: readonly Buffer[] = []
    this.#measure(() => {
      packets = encodeFrames(group)
      return group
    })
    return packets
  }

  /** A large message is alone in its packets. */
  #measure(work: () => readonly Frame[]): readonly Frame[] {
    if (!this.#onSpent) return work()
    const before = process.threadCpuUsage()
    const frames = work()
    const { user, system } = process.threadCpuUsage(before)
    const [frame] = frames
    if (frame && frame.id !== 0) this.#onSpent(frame.id, (user + system) / 1_000)
    return frames
  }

  #write(packets: readonly Buffer[]): void {
    for (const packet of packets) {
      const written = this.#writeStraight(packet)
      if (written < packet.length) this.#socket.write(packet.subarray(written))
    }
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

/** Each large frame by itself, the others together. */
function inGroups(frames: readonly Frame[]): readonly (readonly Frame[])[] {
  const groups: Frame[][] = [[]]
  let length = 0
  for (const frame of frames) {
    const size = frame.fields.reduce((sum, field) => sum + field.length, 0)
    if (length + size > unasked && groups.at(-1)?.length !== 0) {
      groups.push([])
      length = 0
    }
    groups.at(-1)?.push(frame)
    length += size
  }
  return groups
}
