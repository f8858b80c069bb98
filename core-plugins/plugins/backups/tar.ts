const blockBytes = 512

/** One file on its way into an archive; exactly `size` bytes come. */
export interface TarEntry {
  /** 100 bytes of ASCII at most. */
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>
}

/** An archive in the `ustar` form of POSIX.1-1988, piece by piece. */
export async function* tar(entries: AsyncIterable<TarEntry>, at: Date): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of entries) {
    yield header(name, size, at)
    yield* content
    yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
  }
  yield Buffer.alloc(2 * blockBytes)
}

function header(name: string, size: number, at: Date): Buffer {
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  block.write(name, 0, 100, 'ascii')
  block.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8), 100, 'ascii')
  block.write(octal(size, 12) + octal(Math.floor(at.getTime() / 1000), 12), 124, 'ascii')
  // The checksum counts itself as spaces.
  block.write('        0', 148, 'ascii')
  block.write('ustar\x0000', 257, 'ascii')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii')
  return block
}
