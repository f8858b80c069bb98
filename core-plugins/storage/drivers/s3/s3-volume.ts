import { buffer } from 'node:stream/consumers'
import type { GuardedStream } from '#kernel'
import type { ByteRange, StorageVolume, StoredBytes } from '../../contract.ts'
import { StorageError, StorageUpstreamError } from '../../errors.ts'
import { isLocation } from '../location.ts'
import { imgproxyLink } from './imgproxy-link.ts'
import { putContent } from './put-content.ts'
import { discard, readText } from './read-answer.ts'
import { upstreamError, type S3Client } from './s3-client.ts'
import { createS3Upload, leastPartBytes } from './s3-upload.ts'
import { dropUnfinishedUploads } from './unfinished-uploads.ts'
import { wholeBody } from './whole-body.ts'

const longestLinkSeconds = 604_800
/** What tries a link has put something short there. */
const mostFetched = 65_536

/** Keeps objects in a bucket. */
export function createS3Volume(client: S3Client): StorageVolume {
  const { acl, prefix, imageProcess, presignSeconds } = client.settings
  const headersOf = (contentType = 'application/octet-stream'): Record<string, string> => {
    return { 'content-type': contentType, ...(acl !== '' && { 'x-amz-acl': acl }) }
  }
  const lifetime = (seconds: number): number =>
    Math.min(Math.max(Math.trunc(seconds) || presignSeconds, 1), longestLinkSeconds)

  return {
    imageProcess,
    async put(location, content, options = {}) {
      await putContent(client, checked(location), content, headersOf(options.contentType), options)
    },
    async get(location, { range, signal } = {}) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const expected = range ? [206, 404] : [200, 404]
      const answer = await client.send({
        method: 'GET',
        location: checked(location),
        expected,
        signal,
        ...(headers && { headers }),
      })
      if (answer.status === 404) return absent(answer)
      return range ? part(answer, range) : { content: wholeBody(answer, lengthOf(answer)), size: lengthOf(answer) }
    },
    async head(location, { signal } = {}) {
      const answer = await client.send({ method: 'HEAD', location: checked(location), expected: [200, 404], signal })
      await readText(answer)
      return answer.status === 404 ? undefined : { size: lengthOf(answer) }
    },
    async delete(location, { signal } = {}) {
      const answer = await client.send({
        method: 'DELETE',
        location: checked(location),
        expected: [204, 200, 404],
        signal,
      })
      if (answer.status === 404) await absent(answer)
      else await readText(answer)
    },
    forgetUnfinished: (location) => dropUnfinishedUploads(client, checked(location)),
    async presignGet(location, { seconds, contentType, disposition, query = {}, imageProxyOptions }) {
      if (imageProxyOptions !== undefined) {
        const options = { options: imageProxyOptions, seconds: lifetime(seconds) }
        return imgproxyLink(client.settings, checked(location), options)
      }
      const wanted = {
        ...query,
        ...(contentType !== undefined && { 'response-content-type': contentType }),
        ...(disposition !== undefined && { 'response-content-disposition': disposition }),
      }
      return client.presign('GET', checked(location), lifetime(seconds), { query: wanted })
    },
    async presignPut(location, { seconds, contentType, size }) {
      const headers = headersOf(contentType)
      // Every sender says the length by itself; browsers let nobody else do it.
      const signed = { ...headers, ...(size !== undefined && { 'content-length': String(size) }) }
      return {
        method: 'PUT',
        url: await client.presign('PUT', checked(location), lifetime(seconds), { headers: signed }),
        headers,
      }
    },
    multipart: {
      partBytes: leastPartBytes,
      create: (location, { contentType, signal } = {}) =>
        createS3Upload(client, checked(location), headersOf(contentType), signal),
    },
    pathOf: (location) => `${prefix}${checked(location)}`,
    reach: {
      resolve: () => client.resolve(),
      async connect(signal) {
        const answer = await client.send({ method: 'HEAD', expected: anyAnswer, signal })
        await readText(answer)
      },
      async fetch(url, signal) {
        const answer = await client.fetchLink(url, signal)
        if (answer.status !== 200) throw await upstreamError(answer)
        if (lengthOf(answer) <= mostFetched) return buffer(wholeBody(answer, lengthOf(answer)))
        discard(answer)
        throw new StorageUpstreamError({ fault: 'wrong length' }, { details: { reason: 'wrong_length' } })
      },
    },
  }
}

/** Whether the bucket is there and open to us shows in the steps after; here it is enough that something answers. */
const anyAnswer = [200, 301, 307, 400, 401, 403, 404, 405, 501]

function part(answer: GuardedStream, { start, end }: ByteRange): StoredBytes {
  const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? []
  const last = Math.min(end, Number(size) - 1)
  if (Number(from) === start && Number(to) === last) {
    return { content: wholeBody(answer, last - start + 1), size: Number(size) }
  }
  discard(answer)
  throw new StorageUpstreamError({ fault: 'wrong range' }, { details: { reason: 'wrong_range' } })
}

/** The object is gone, unless it is the bucket that is. */
async function absent(answer: GuardedStream): Promise<undefined> {
  const error = await upstreamError(answer)
  if (error.details?.['reason'] === 'NoSuchBucket') throw error
  return undefined
}

function lengthOf(answer: GuardedStream): number {
  const length = answer.headers['content-length'] ?? ''
  if (/^\d{1,15}$/.test(length)) return Number(length)
  discard(answer)
  throw new StorageUpstreamError({ fault: 'no length' }, { details: { reason: 'no_length' } })
}

function checked(location: string): string {
  if (isLocation(location)) return location
  throw new StorageError({ cause: new Error(`${location} is no location`) })
}
