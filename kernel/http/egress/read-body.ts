import { Transform, Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { EgressError } from './egress-error.ts'

/** Encodings that are asked for and can be undone. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
])
const MAX_ENCODINGS = 2
/** Small texts may shrink a lot without being a bomb. */
const RATIO_FLOOR = 65_536

/** What a body may cost. */
export interface BodyLimits {
  readonly bytes: number
  /** Bytes after decoding for each byte that came. */
  readonly ratio: number
}

/** Reads a body to its end, decoded, never holding more of it than allowed. */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  let received = 0
  let decoded = 0
  const chunks: Buffer[] = []
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > limits.bytes) done(tooLarge(limits.bytes))
      else done(null, chunk)
    },
  })
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      decoded += chunk.length
      const isBomb = decoded > RATIO_FLOOR && decoded > received * limits.ratio
      if (isBomb || decoded > limits.bytes) return done(tooLarge(limits.bytes))
      chunks.push(chunk)
      done()
    },
  })
  await pipeline([body, count, ...decodersFor(encoding), collect], { signal })
  return Buffer.concat(chunks)
}

function decodersFor(encoding: string | undefined): readonly Transform[] {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const applied = names.filter((name) => name !== '' && name !== 'identity')
  if (applied.length > MAX_ENCODINGS) throw new EgressError('response_invalid', 'The answer is encoded too often')
  return applied.reverse().map((name) => {
    const decoder = DECODERS.get(name)
    if (!decoder) throw new EgressError('response_invalid', 'The answer has an encoding that nobody asked for')
    return decoder()
  })
}

function tooLarge(bytes: number): EgressError {
  return new EgressError('response_too_large', `The answer is larger than ${bytes} bytes`)
}
