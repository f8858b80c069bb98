import { readOrientation } from './orientation.ts'

const nothing = Buffer.alloc(0)
const headBytes = 4
const frameHeadBytes = 9
const notesMark = 'Exif\0\0'
const notesHeadBytes = headBytes + notesMark.length
/** What a camera writes before the pixels is shorter, with a depth map and a profile for print; more is not looked through. */
const mostBytes = 4 * 1_048_576
const notes = 0xe1
/** Of pixels, and of the file: behind them no size comes. */
const ends: ReadonlySet<number> = new Set([0xda, 0xd9])
/** Tables, among the markers that begin a frame. */
const tables: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])

/**
 * Looks for the size of a JPEG while its bytes pass: profiles of colours and what phones note may stand before it, hundreds of kilobytes long.
 * Sources: ITU T.81, annex B; Exif 2.32, section 4.7.
 */
export class JpegSeeker {
  #skip = 2
  #held: Buffer = nothing
  #wanted = headBytes
  #passed = 0
  #orientation: number | undefined
  #isOver = false
  #size: { readonly width: number; readonly height: number } | undefined

  /** Pixels as they are stored, once they were seen; undefined where they are not told. */
  get size(): { readonly width: number; readonly height: number } | undefined {
    return this.#size
  }

  /** 1 to 8, where it was said before the size. */
  get orientation(): number | undefined {
    return this.#orientation
  }

  push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0 && !this.#isOver;) {
      const skipped = Math.min(this.#skip, rest.length)
      this.#skip -= skipped
      const taken = rest.subarray(skipped, skipped + this.#wanted - this.#held.length)
      rest = rest.subarray(skipped + taken.length)
      this.#held = this.#held.length === 0 ? taken : Buffer.concat([this.#held, taken])
      if (this.#held.length === this.#wanted) this.#look(this.#held)
    }
    this.#passed += chunk.length
    if (this.#passed > mostBytes) this.#isOver = true
  }

  #look(held: Buffer): void {
    const [mark, marker = 0] = held
    const whole = 2 + held.readUInt16BE(2)
    if (mark !== 0xff || ends.has(marker)) this.#isOver = true
    // A fill byte.
    else if (marker === 0xff) this.#held = held.subarray(1)
    else if (whole < headBytes) this.#isOver = true
    else if (isFrame(marker)) this.#lookAtFrame(held)
    else if (marker === notes && this.#orientation === undefined) this.#lookAtNotes(held, whole)
    else this.#pass(whole - held.length)
  }

  #lookAtFrame(held: Buffer): void {
    if (held.length < frameHeadBytes) return void (this.#wanted = frameHeadBytes)
    this.#size = { height: held.readUInt16BE(5), width: held.readUInt16BE(7) }
    this.#isOver = true
  }

  /** Once, and no further than the segment: a file could have thousands that each lead through all of it. */
  #lookAtNotes(held: Buffer, whole: number): void {
    if (whole <= notesHeadBytes) return this.#pass(whole - held.length)
    if (held.length < notesHeadBytes) return void (this.#wanted = notesHeadBytes)
    if (held.toString('latin1', headBytes, notesHeadBytes) !== notesMark) return this.#pass(whole - held.length)
    if (held.length < whole) return void (this.#wanted = whole)
    try {
      this.#orientation = readOrientation(held.subarray(notesHeadBytes)) ?? 1
    } catch (error) {
      // What leads behind its end says nothing that can be relied on.
      if (!(error instanceof RangeError)) throw error
      this.#isOver = true
    }
    this.#pass(0)
  }

  #pass(bytes: number): void {
    this.#skip = bytes
    this.#held = nothing
    this.#wanted = headBytes
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !tables.has(marker)
}
