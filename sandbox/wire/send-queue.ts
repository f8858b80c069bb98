import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'

/** A message that is written when its turn comes. */
interface Waiting {
  /** The calls that it is about, whose later messages wait for it; with 0 among them all do. */
  readonly ids: ReadonlySet<number>
  /** What of it is still to be written. */
  readonly packets: Buffer[]
  /** Told when it has left. */
  readonly hasLeft: (() => void)[]
}

/**
 * Writes messages to a socket. One of several packets goes a packet at a time, as the other side reads, and those of one packet go between
 * them: a call does not wait for the megabytes of another. Messages of one call stay in order.
 */
export class SendQueue {
  readonly #socket: Socket
  readonly #descriptor: number | undefined
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #isPlanned = false

  /** With a descriptor, packets are written to it straight: interpreted, a stream costs more than all else of a small call. */
  constructor(socket: Socket, descriptor: number | undefined) {
    this.#socket = socket
    this.#descriptor = descriptor
  }

  /** Bytes that did not leave this process. */
  get bytes(): number {
    return this.#socket.writableLength + this.#waitingBytes
  }

  /** Whether something about a call would wait for a message before it. */
  holdsUp(id: number): boolean {
    return this.#waiting.some(({ ids }) => ids.has(id) || ids.has(0))
  }

  /** Sends a message about some calls; one that waits is written in its turn. */
  send(about: readonly { readonly id: number }[], packets: readonly Buffer[], mustWait: boolean): void {
    const [packet] = packets
    if (packet && packets.length === 1 && !mustWait) return this.#write(packet)
    for (const { length } of packets) this.#waitingBytes += length
    this.#waiting.push({ ids: new Set(about.map(({ id }) => id)), packets: [...packets], hasLeft: [] })
    this.#goOn()
  }

  /** Calls the function when all that was sent so far has left this process; never, when it does not. */
  whenSent(hasLeft: () => void): void {
    const last = this.#waiting.at(-1)
    if (last) last.hasLeft.push(hasLeft)
    else if (this.#socket.writableLength === 0) hasLeft()
    else this.#socket.write('', hasLeft)
  }

  /** Whose turn it is writes a packet also where small messages came before it once more: they must not keep it for ever. */
  #goOn(isTurn = false): void {
    if (this.#isPlanned || this.#socket.destroyed) return
    let hasTurn = isTurn
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (!hasTurn && this.#socket.writableLength > 0) break
      hasTurn = false
      const packet = first.packets.shift()
      if (packet) {
        this.#waitingBytes -= packet.length
        this.#write(packet)
      }
      if (first.packets.length > 0) continue
      this.#waiting.shift()
      // It counts as sent when what the socket holds of it has left.
      for (const hasLeft of first.hasLeft) this.#socket.write('', hasLeft)
    }
    if (this.#waiting.length === 0) return
    this.#isPlanned = true
    this.#socket.write('', () => {
      this.#isPlanned = false
      this.#goOn(true)
    })
  }

  #write(packet: Buffer): void {
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
