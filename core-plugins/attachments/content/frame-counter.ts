/** What is read next, and what follows from it; undefined ends the reading. */
interface Step {
  readonly bytes: number
  readonly read: (held: Buffer) => { readonly skip?: number; readonly next: Step } | undefined
}

/** What is larger is not looked through, and no image is made of it anyway. */
const mostBytes = 128 * 1024 * 1024

/**
 * Counts the pictures of a GIF or a WebP that moves while its bytes pass, by its blocks alone: a file of some kilobytes can have ten thousand.
 * Sources: GIF89a specification, sections 18 to 26; RFC 9649, section 2.7.1.
 */
export class FrameCounter {
  #frames = 0
  #step: Step | undefined
  #skip = 0
  #held: Buffer = Buffer.alloc(0)
  #passed = 0

  private constructor(mimeType: string) {
    const count = (): void => void (this.#frames += 1)
    this.#step = mimeType === 'image/gif' ? gifSteps(count) : webpSteps(count)
  }

  /** For the kinds that can move; undefined for others. */
  static for(mimeType: string): FrameCounter | undefined {
    return mimeType === 'image/gif' || mimeType === 'image/webp' ? new FrameCounter(mimeType) : undefined
  }

  /** Undefined where none was counted. */
  get frames(): number | undefined {
    return this.#frames > 0 ? this.#frames : undefined
  }

  push(chunk: Buffer): void {
    this.#passed += chunk.length
    if (this.#passed > mostBytes) this.#step = undefined
    for (let at = 0; at < chunk.length && this.#step;) {
      const skipped = Math.min(this.#skip, chunk.length - at)
      this.#skip -= skipped
      at += skipped
      const taken = chunk.subarray(at, at + this.#step.bytes - this.#held.length)
      if (this.#skip > 0 || taken.length === 0) return
      at += taken.length
      const held = this.#held.length === 0 ? taken : Buffer.concat([this.#held, taken])
      if (held.length < this.#step.bytes) this.#held = Buffer.from(held)
      else this.#take(this.#step.read(held))
    }
  }

  #take(follows: ReturnType<Step['read']>): void {
    this.#held = Buffer.alloc(0)
    this.#step = follows?.next
    this.#skip = follows?.skip ?? 0
  }
}

function gifSteps(count: () => void): Step {
  const tableBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const data: Step = {
    bytes: 1,
    read: ([length = 0]) => (length === 0 ? { next: block } : { skip: length, next: data }),
  }
  const extension: Step = { bytes: 1, read: () => ({ next: data }) }
  const picture: Step = {
    bytes: 9,
    read(held) {
      count()
      // The table of colours, and the byte that says how the pixels are packed.
      return { skip: tableBytes(held[8]) + 1, next: data }
    },
  }
  const block: Step = {
    bytes: 1,
    read([kind]) {
      if (kind === 0x21) return { next: extension }
      return kind === 0x2c ? { next: picture } : undefined
    },
  }
  return { bytes: 13, read: (held) => ({ skip: tableBytes(held[10]), next: block }) }
}

function webpSteps(count: () => void): Step {
  const piece: Step = {
    bytes: 8,
    read(held) {
      if (held.toString('latin1', 0, 4) === 'ANMF') count()
      const length = held.readUInt32LE(4)
      return { skip: length + (length % 2), next: piece }
    },
  }
  return { bytes: 12, read: () => ({ next: piece }) }
}
