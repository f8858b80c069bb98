/** A stream of events has one that is larger than allowed. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError'
}

/** Of one frame, in bytes. */
const mostBytes = 1_048_576
const [lineFeed, carriageReturn] = [10, 13]

/**
 * Cuts a stream of server-sent events (WHATWG HTML, 9.2) into frames, as bytes: a frame ends with an empty line. Lines end with LF, CRLF or
 * CR, wherever pieces were cut. Frames one after the other are exactly what came, so they can be passed on as they are; no
 * character is ever cut, because line ends are no part of any other.
 */
export class FrameCutter {
  readonly #emit: (frame: Buffer) => void
  readonly #mostBytes: number
  #held: Buffer[] = []
  #heldBytes = 0
  #isLineEmpty = true
  #isAfterReturn = false

  constructor(emit: (frame: Buffer) => void, limit = mostBytes) {
    this.#emit = emit
    this.#mostBytes = limit
  }

  /** Throws FrameTooLargeError. */
  push(piece: Buffer): void {
    const hasReturns = this.#isAfterReturn || piece.includes(carriageReturn)
    let from = 0
    let at = 0
    while (at < piece.length) {
      const byte = piece[at]
      if (byte !== lineFeed && byte !== carriageReturn) {
        this.#isLineEmpty = false
        this.#isAfterReturn = false
        at = hasReturns ? nextLineEnd(piece, at) : piece.indexOf(lineFeed, at)
        if (at < 0) break
        continue
      }
      at += 1
      const endsReturn = byte === lineFeed && this.#isAfterReturn
      this.#isAfterReturn = byte === carriageReturn
      if (endsReturn) continue
      if (this.#isLineEmpty) {
        this.#cut(piece.subarray(from, at))
        from = at
      }
      this.#isLineEmpty = true
    }
    this.#hold(piece.subarray(from))
  }

  /** What came after the last whole frame; it is no event. */
  get rest(): Buffer {
    return Buffer.concat(this.#held, this.#heldBytes)
  }

  #cut(end: Buffer): void {
    this.#hold(end)
    const frame = this.#held.length === 1 ? this.#held[0] : this.rest
    this.#held = []
    this.#heldBytes = 0
    if (frame) this.#emit(frame)
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#heldBytes += bytes.length
    if (this.#heldBytes > this.#mostBytes) {
      throw new FrameTooLargeError(`A frame is larger than ${this.#mostBytes} bytes`)
    }
    this.#held.push(bytes)
  }
}

function nextLineEnd(piece: Buffer, from: number): number {
  const feed = piece.indexOf(lineFeed, from)
  const turn = piece.indexOf(carriageReturn, from)
  return feed < 0 ? turn : turn < 0 ? feed : Math.min(feed, turn)
}
