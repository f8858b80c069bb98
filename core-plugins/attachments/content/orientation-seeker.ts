import { readOrientation } from './orientation.ts'

/** How a kind of image is cut into pieces that each say what they are and how long. */
interface Container {
  /** What stands before the first piece. */
  readonly headBytes: number
  /** Of the piece that says how the image is held. */
  readonly name: string
  readonly nameAt: number
  readonly lengthOf: (head: Buffer) => number
  /** Bytes behind the content of a piece. */
  readonly behind: (length: number) => number
}

const pieceHeadBytes = 8
/** Of what a camera notes the directory with the orientation stands at the beginning. */
const notesBytes = 64 * 1024

/** Sources: PNG third edition, section 5.3; RFC 9649, section 2.3. */
const containers: Readonly<Record<string, Container>> = {
  'image/png': {
    headBytes: 8,
    name: 'eXIf',
    nameAt: 4,
    lengthOf: (head) => head.readUInt32BE(0),
    behind: () => 4,
  },
  'image/webp': {
    headBytes: 12,
    name: 'EXIF',
    nameAt: 0,
    lengthOf: (head) => head.readUInt32LE(4),
    behind: (length) => length % 2,
  },
}

/** Looks for where a PNG or a WebP says how it is held, while its bytes pass: it may stand behind all pixels. */
export class OrientationSeeker {
  readonly #container: Container
  #skip: number
  #held: Buffer = Buffer.alloc(0)
  #notes: number | undefined
  #orientation: number | undefined
  #isOver = false

  /** One for a media type; undefined for those that say it before the pixels, or nowhere. */
  static for(mimeType: string): OrientationSeeker | undefined {
    const container = Object.hasOwn(containers, mimeType) ? containers[mimeType] : undefined
    return container && new OrientationSeeker(container)
  }

  private constructor(container: Container) {
    this.#container = container
    this.#skip = container.headBytes
  }

  /** 1 to 8, once it was seen. */
  get orientation(): number | undefined {
    return this.#orientation
  }

  push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0 && !this.#isOver;) {
      const skipped = Math.min(this.#skip, rest.length)
      this.#skip -= skipped
      rest = rest.subarray(skipped)
      const wanted = (this.#notes ?? pieceHeadBytes) - this.#held.length
      const taken = rest.subarray(0, wanted)
      this.#held = Buffer.concat([this.#held, taken])
      rest = rest.subarray(taken.length)
      if (taken.length === wanted) this.#look()
    }
  }

  #look(): void {
    const held = this.#held
    this.#held = Buffer.alloc(0)
    if (this.#notes !== undefined) {
      this.#orientation = orientationIn(held)
      this.#isOver = true
      return
    }
    const { name, nameAt, lengthOf, behind } = this.#container
    const length = lengthOf(held)
    const isNotes = held.toString('latin1', nameAt, nameAt + 4) === name
    if (isNotes && length > 0) this.#notes = Math.min(length, notesBytes)
    else this.#skip = length + behind(length)
  }
}

function orientationIn(notes: Buffer): number | undefined {
  const isMarked = notes.toString('latin1', 0, 6) === 'Exif\0\0'
  try {
    return readOrientation(isMarked ? notes.subarray(6) : notes)
  } catch (error) {
    // What it says leads behind its end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
