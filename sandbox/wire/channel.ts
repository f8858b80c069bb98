import type { Socket } from 'node:net'

import { createFrameReader, encodeFrames, type Frame, type FrameType } from './frames.ts'
import { SendQueue } from './send-queue.ts'
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
  readonly #queue: SendQueue
  readonly #onFrame: (frame: Frame) => void
  readonly #onSpent: ChannelEvents['onSpent']
  readonly #read = createFrameReader((bytes, work) => (bytes > unasked ? this.#measure(work) : work()))
  #broken: Error | undefined
  #unsent: Frame[] = []
  #unsentLength = 0
  #onSent: (() => void)[] = []

  /** With a descriptor, packets are written to it straight. */
  constructor(socket: Socket, { onFrame, onClose, onSpent }: ChannelEvents, descriptor?: number) {
    this.#socket = socket
    this.#queue = new SendQueue(socket, descriptor)
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
    if (this.#unsent.length === 0) this.#queue.whenSent(hasLeft)
    else this.#onSent.push(hasLeft)
  }

  /** True while the other side reads slower than this one writes. */
  get isCongested(): boolean {
    return this.#queue.bytes + this.#unsentLength > congested
  }

  /** Resolves when what was sent has left, or when nobody is there to read it; with false when neither happens in time. */
  async drained(withinMs?: number): Promise<boolean> {
    if (!this.isCongested || this.#socket.destroyed) return true
    this.#flush()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const hasLeft = (): void => resolve(true)
    const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs, false)
    this.#socket.once('close', hasLeft)
    this.#queue.whenSent(hasLeft)
    const isInTime = await promise
    clearTimeout(timer)
    this.#socket.off('close', hasLeft)
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
    this.#onSent = []
    if (frames.length === 0 || this.#socket.destroyed) return
    if (length <= unasked) this.#sendGroup(frames)
    else for (const group of inGroups(frames)) this.#sendGroup(group, group.length === 1)
    for (const tell of hasLeft) this.#queue.whenSent(tell)
  }

  /** What would overtake something that it must come after waits for that. */
  #sendGroup(group: readonly Frame[], isLarge = false): void {
    if (this.#queue.bytes === 0) return this.#sendMessage(group, isLarge, false)
    const waiting = this.#waitingOf(group)
    if (waiting.length === 0) return this.#sendMessage(group, isLarge, false)
    const free = group.filter((frame) => !waiting.includes(frame))
    if (free.length > 0) this.#sendMessage(free, isLarge, false)
    this.#sendMessage(waiting, isLarge, true)
  }

  #sendMessage(frames: readonly Frame[], isLarge: boolean, mustWait: boolean): void {
    this.#queue.send(frames, isLarge ? this.#encodeLarge(frames) : encodeFrames(frames), mustWait)
  }

  /**
   * The other side forgets a release after the calls that were sent before, and begins others after that; calls that were done
   * before an alarm are done.
   */
  #waitingOf(group: readonly Frame[]): readonly Frame[] {
    const last = group.findIndex(({ type }) => type === 'drop' || type === 'stuck')
    return group.filter(({ id }, at) => (last >= 0 && at >= last) || this.#queue.holdsUp(id))
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
