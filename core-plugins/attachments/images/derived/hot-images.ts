/** An image in memory, and when its file was last said to be in use. */
interface HotImage {
  readonly bytes: Buffer
  usedAt: number
}

/** Larger ones are read from the disk each time. */
const largestBytes = 256 * 1024
const mostBytes = 16 * 1024 * 1024
/** The time of a file is when it was last used, to the minute. */
const usedEveryMs = 60_000

/** Small derived images that were asked for lately, in memory: opening a file costs more than sending it. What was used least recently goes first. */
export class HotImages {
  // A Map keeps the order of insertion: what is used is put at the end again.
  readonly #images = new Map<string, HotImage>()
  #bytes = 0

  /** The image, if it is here; `use` is called where its file is to be marked as one in use. */
  get(name: string, use: () => void): Buffer | undefined {
    const image = this.#images.get(name)
    if (!image) return undefined
    this.#images.delete(name)
    this.#images.set(name, image)
    const now = Date.now()
    if (image.usedAt < now - usedEveryMs) {
      image.usedAt = now
      use()
    }
    return image.bytes
  }

  /** Keeps an image, of all of them no more than so many bytes. */
  set(name: string, bytes: Buffer, maxBytes: number): void {
    if (bytes.length > Math.min(largestBytes, maxBytes)) return
    this.#delete(name)
    this.#images.set(name, { bytes, usedAt: Date.now() })
    this.#bytes += bytes.length
    const most = Math.min(mostBytes, maxBytes)
    for (const oldest of this.#images.keys()) {
      if (this.#bytes <= most) break
      this.#delete(oldest)
    }
  }

  /** Forgets images whose names begin so. */
  forget(prefix: string): void {
    for (const name of this.#images.keys()) if (name.startsWith(prefix)) this.#delete(name)
  }

  #delete(name: string): void {
    const image = this.#images.get(name)
    if (!image) return
    this.#images.delete(name)
    this.#bytes -= image.bytes.length
  }
}
