import type { Readable } from 'node:stream'
import type { VolumePutOptions } from '../../contract.ts'
import { StorageUpstreamError } from '../../errors.ts'
import { readText } from './read-answer.ts'
import type { S3Client } from './s3-client.ts'
import { createS3Upload } from './s3-upload.ts'

/** Content of more than one such piece goes in parts; each is held until it is there, so that it can be sent again. */
const partBytes = 8 * 1_048_576
/** Parts on their way at the same time: what an upload holds in memory at most is one more. */
const parallel = 3
/** The service takes so many parts; larger ones make room for larger objects. */
const mostParts = 10_000

/** Puts content of any length, whole or not at all. */
export async function putContent(
  client: S3Client,
  location: string,
  content: Readable,
  headers: Readonly<Record<string, string>>,
  { size, signal }: VolumePutOptions,
): Promise<void> {
  const bytes = Math.max(partBytes, Math.ceil((size ?? 0) / mostParts))
  const pieces = piecesOf(content, bytes)
  const first = (await pieces.next()).value ?? Buffer.alloc(0)
  if (first.length < bytes) {
    requireSize(first.length, size)
    const answer = await client.send({ method: 'PUT', location, headers, body: first, expected: [200], signal })
    await readText(answer)
    return
  }
  const upload = await createS3Upload(client, location, headers, signal)
  let isSent = false
  try {
    requireSize(await putParts(first, pieces, (number, piece) => upload.putPart(number, piece)), size)
    isSent = true
    await upload.complete()
  } catch (error) {
    // Only the answer may be lost: the location is new, so what is there is this object.
    if (isSent && (await isThere(client, location))) return
    await upload.abort().catch(() => undefined)
    throw error
  }
}

/** Sends pieces as they come, a few at a time; answers how many bytes they were. */
async function putParts(
  first: Buffer,
  rest: AsyncIterable<Buffer>,
  put: (number: number, piece: Buffer) => Promise<void>,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  let [number, sent] = [0, 0]

  async function begin(piece: Buffer): Promise<void> {
    sent += piece.length
    const part = put(++number, piece).catch((error: unknown) => void (failure ??= { error }))
    running.add(part)
    void part.then(() => running.delete(part))
    if (running.size >= parallel) await Promise.race(running)
    if (failure) throw failure.error
  }

  try {
    await begin(first)
    for await (const piece of rest) await begin(piece)
  } finally {
    await Promise.all(running)
  }
  if (failure) throw failure.error
  return sent
}

async function* piecesOf(content: Readable, bytes: number): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = []
  let held = 0
  for await (const given of content as AsyncIterable<Buffer>) {
    for (let chunk = given; chunk.length > 0;) {
      const taken = chunk.subarray(0, bytes - held)
      chunks.push(taken)
      held += taken.length
      chunk = chunk.subarray(taken.length)
      if (held < bytes) continue
      yield Buffer.concat(chunks)
      ;[chunks, held] = [[], 0]
    }
  }
  if (held > 0) yield Buffer.concat(chunks)
  return undefined
}

async function isThere(client: S3Client, location: string): Promise<boolean> {
  try {
    const answer = await client.send({ method: 'HEAD', location, expected: [200, 404] })
    await readText(answer)
    return answer.status === 200
  } catch {
    return false
  }
}

function requireSize(written: number, size: number | undefined): void {
  if (size === undefined || written === size) return
  throw new StorageUpstreamError({ fault: 'wrong length' }, { details: { reason: 'wrong_length' } })
}
