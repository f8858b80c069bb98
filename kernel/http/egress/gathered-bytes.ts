const smallest = 16_384

/** Bytes that come in pieces, copied together: a small piece must not keep alive the large buffer that it was cut from. */
export class GatheredBytes {
  #buffer = Buffer.alloc(0)
  #length = 0

  /** Adds a piece. */
  add(piece: Buffer): void {
    const needed = this.#length + piece.length
    if (needed > this.#buffer.length) this.#grow(needed)
    piece.copy(this.#buffer, this.#length)
    this.#length = needed
  }

  /** All of it. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(smallest, needed, this.#buffer.length * 2))
    this.bytes.copy(larger)
    this.#buffer = larger
  }
}
