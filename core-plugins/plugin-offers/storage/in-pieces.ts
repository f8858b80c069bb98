/** A piece of content, and whether it is the end; no content is one empty piece. */
interface Piece {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** Cuts content into pieces of one size, the last of them shorter, holding one piece at a time. */
export async function* inPieces(content: AsyncIterable<Buffer | string>, size: number): AsyncGenerator<Piece> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    held.push(bytes)
    length += bytes.length
    // Only with more behind it is a full piece not the last.
    while (length > size) {
      const whole = Buffer.concat(held)
      yield { bytes: whole.subarray(0, size), isLast: false }
      held = [whole.subarray(size)]
      length -= size
    }
  }
  yield { bytes: Buffer.concat(held), isLast: true }
}
