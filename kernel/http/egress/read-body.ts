import { Transform, Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { EgressError } from './egress-error.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** Encodings that are asked for and can be undone. */
export const acceptedEncodings = 'gzip, deflate, br'

const decoderOf: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
])
const maxEncodings = 2
/** Small texts may shrink a lot without being a bomb. */
const ratioFloor = 65_536
/** Each piece costs time, however small it is: beyond so many, smaller ones than this on average are sent to cost it. */
const freePieces = 4_096
const smallestPiece = 64

/** What is smaller needs no room; beyond that it is taken a step at a time, so that a slow answer holds what came of it. */
const freeBytes = 8_192
const roomStep = 131_072

/** What a body may cost. */
interface BodyLimits {
  readonly bytes: number
  /** Bytes after decoding for each byte that came. */
  readonly ratio: number
  /** Takes room for so many more bytes before they are read. */
  readonly room?: (bytes: number) => Promise<void>
}

/** Reads a body to its end, decoded, never holding more of it than allowed. */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  let received = 0
  let pieces = 0
  const gathered = new GatheredBytes()
  const count = meter((bytes, piece) => {
    received += piece
    if (++pieces > freePieces + received / smallestPiece)
      return new EgressError('response_invalid', 'The answer came in too many pieces')
    return bytes > limits.bytes ? tooLarge(limits.bytes) : null
  })
  // What lies between two encodings is measured as well: it may be large although the end is not.
  const decoders = decodersFor(encoding).flatMap((decoder) => [
    decoder,
    meter((bytes) => {
      const isBomb = bytes > ratioFloor && bytes > received * limits.ratio
      return isBomb || bytes > limits.bytes ? tooLarge(limits.bytes) : null
    }),
  ])
  let held = freeBytes
  const add = (chunk: Buffer): void => {
    held -= chunk.length
    gathered.add(chunk)
  }
  const collect = new Writable({
    highWaterMark: freeBytes,
    write(chunk: Buffer, _encoding, done) {
      if (!limits.room || chunk.length <= held) {
        add(chunk)
        return done()
      }
      const wanted = Math.max(roomStep, chunk.length)
      limits.room(wanted).then(() => {
        held += wanted
        add(chunk)
        done()
      }, done)
    },
  })
  await pipeline([body, count, ...decoders, collect], { signal })
  return gathered.bytes
}

/** Passes everything on until the check of all bytes so far, and of those of this piece, finds a fault. */
function meter(check: (bytes: number, piece: number) => Error | null): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      const fault = check(bytes, chunk.length)
      if (fault) done(fault)
      else done(null, chunk)
    },
  })
}

function decodersFor(encoding: string | undefined): readonly Transform[] {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const applied = names.filter((name) => name !== '' && name !== 'identity')
  if (applied.length > maxEncodings) throw new EgressError('response_invalid', 'The answer is encoded too often')
  return applied.reverse().map((name) => {
    const decoder = decoderOf.get(name)
    if (!decoder) throw new EgressError('response_invalid', 'The answer has an encoding that nobody asked for')
    return decoder()
  })
}

function tooLarge(bytes: number): EgressError {
  return new EgressError('response_too_large', `The answer is larger than ${bytes} bytes`)
}
