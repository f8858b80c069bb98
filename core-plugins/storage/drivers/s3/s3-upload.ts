import type { MultipartUpload } from '../../contract.ts'
import { StorageUpstreamError } from '../../errors.ts'
import { readText } from './read-answer.ts'
import type { S3Client } from './s3-client.ts'
import { elementOf, errorCodeOf } from './s3-xml.ts'

/** The service takes no smaller part but the last. */
export const leastPartBytes = 5 * 1_048_576

/** Begins an object of several parts. */
export async function createS3Upload(
  client: S3Client,
  location: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<MultipartUpload> {
  const begun = await client.send({
    method: 'POST',
    location,
    query: { uploads: '' },
    headers,
    expected: [200],
    signal,
  })
  const uploadId = elementOf(await readText(begun), 'UploadId')
  if (uploadId === undefined) throw unclear('no upload id')
  const etags = new Map<number, string>()

  return {
    async putPart(number, body) {
      const query = { partNumber: String(number), uploadId }
      const answer = await client.send({ method: 'PUT', location, query, body, expected: [200], signal })
      await readText(answer)
      const { etag } = answer.headers
      if (etag === undefined) throw unclear('a part without an ETag')
      etags.set(number, etag)
    },
    async complete() {
      const body = Buffer.from(completion(etags))
      const headers = { 'content-type': 'application/xml' }
      const answer = await client.send({
        method: 'POST',
        location,
        query: { uploadId },
        headers,
        body,
        expected: [200],
        signal,
      })
      // The service answers 200 before it has put the parts together, and tells what went wrong in the body.
      const said = await readText(answer)
      const code = errorCodeOf(said)
      if (code !== undefined || !said.includes('CompleteMultipartUploadResult')) throw unclear(code ?? 'not completed')
    },
    async abort() {
      // Without the signal: what began must be dropped also when nobody waits any more.
      const answer = await client.send({ method: 'DELETE', location, query: { uploadId }, expected: [204, 200, 404] })
      await readText(answer)
    },
  }
}

function completion(etags: ReadonlyMap<number, string>): string {
  const parts = [...etags].sort(([a], [b]) => a - b)
  const lines = parts.map(
    ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${escape(etag)}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${lines.join('')}</CompleteMultipartUpload>`
}

function escape(etag: string): string {
  return etag.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function unclear(fault: string): Error {
  return new StorageUpstreamError({ fault }, { details: { reason: fault } })
}
