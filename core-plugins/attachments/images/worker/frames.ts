/** What goes between a host and its worker, one after the other on a socket. */
const frameKinds = ['job', 'bytes', 'ready', 'outcome'] as const
export type FrameKind = (typeof frameKinds)[number]

const headBytes = 5
/** No single frame is longer; pieces of an image are cut to it. */
const longestFrame = 1024 * 1024

/** A frame: kind, length, and what is told as JSON. */
export function frame(kind: Exclude<FrameKind, 'bytes'>, told?: object): Buffer {
  const payload = told === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(told))
  return Buffer.concat([headOf(kind, payload.length), payload])
}

/** Bytes as frames of a bearable length, of which each comes in two parts: its head, and what is not copied to stand behind it. */
export function* byteFrames(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += longestFrame) {
    const piece = bytes.subarray(at, at + longestFrame)
    yield headOf('bytes', piece.length)
    yield piece
  }
}

function headOf(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(frameKinds.indexOf(kind), 0)
  head.writeUInt32BE(length, 1)
  return head
}

/** Puts frames together again, however the socket cut them; throws for what is no frame. */
export class FrameReader {
  readonly #onFrame: (kind: FrameKind, content: Buffer) => void
  #rest: Buffer = Buffer.alloc(0)
  #pieces: Buffer[] = []
  #length = 0

  constructor(onFrame: (kind: FrameKind, content: Buffer) => void) {
    this.#onFrame = onFrame
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#wanted()) return
    this.#rest = Buffer.concat(this.#pieces)
    while (this.#rest.length >= headBytes && this.#rest.length >= this.#wanted()) {
      const end = this.#wanted()
      const kind = frameKinds[this.#rest[0] ?? -1]
      if (kind === undefined || end > headBytes + longestFrame) throw new Error('no frame')
      const content = this.#rest.subarray(headBytes, end)
      this.#rest = this.#rest.subarray(end)
      this.#onFrame(kind, content)
    }
    this.#pieces = [this.#rest]
    this.#length = this.#rest.length
  }

  /** The bytes up to the end of the frame that has begun. */
  #wanted(): number {
    const head = this.#rest.length >= headBytes ? this.#rest : undefined
    return head ? headBytes + head.readUInt32BE(1) : headBytes
  }
}
