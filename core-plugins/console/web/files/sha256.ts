const blockBytes = 64
const roots = new Uint32Array(64)
const start = new Uint32Array(8)
// The first 32 bits of what is behind the point of cube and square roots of the first primes.
for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  if (!isPrime(candidate)) continue
  if (found < 8) start[found] = fraction(Math.sqrt(candidate))
  roots[found] = fraction(Math.cbrt(candidate))
  found += 1
}

/** SHA-256 of bytes that come one after the other: what browsers have of their own wants them all at once. */
export class Sha256 {
  readonly #state = start.slice()
  readonly #words = new Uint32Array(64)
  readonly #block = new Uint8Array(blockBytes)
  #filled = 0
  #length = 0

  update(bytes: Uint8Array): void {
    this.#length += bytes.length
    let at = 0
    while (at < bytes.length) {
      const taken = Math.min(blockBytes - this.#filled, bytes.length - at)
      if (taken === blockBytes) this.#take(bytes, at)
      else {
        this.#block.set(bytes.subarray(at, at + taken), this.#filled)
        this.#filled += taken
        if (this.#filled === blockBytes) {
          this.#take(this.#block, 0)
          this.#filled = 0
        }
      }
      at += taken
    }
  }

  /** The hash in hexadecimal digits; nothing may come after. */
  digest(): string {
    const bits = this.#length * 8
    const end = new Uint8Array(this.#filled < 56 ? 64 - this.#filled : 128 - this.#filled)
    end[0] = 0x80
    const view = new DataView(end.buffer)
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(end.length - 4, bits % 2 ** 32)
    this.update(end)
    return [...this.#state].map((word) => word.toString(16).padStart(8, '0')).join('')
  }

  #take(bytes: Uint8Array, from: number): void {
    const words = this.#words
    for (let i = 0; i < 16; i += 1) {
      const at = from + i * 4
      words[i] =
        ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    }
    for (let i = 16; i < 64; i += 1) {
      const [near, far] = [words[i - 2] ?? 0, words[i - 15] ?? 0]
      const first = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
      const second = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
      words[i] = ((words[i - 16] ?? 0) + first + (words[i - 7] ?? 0) + second) | 0
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state
    for (let i = 0; i < 64; i += 1) {
      const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const one = (h + mixed + ((e & f) ^ (~e & g)) + (roots[i] ?? 0) + (words[i] ?? 0)) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    const added = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < 8; i += 1) this.#state[i] = (this.#state[i] ?? 0) + (added[i] ?? 0)
  }
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) return false
  return true
}
