import { readText } from './read-answer.ts'
import type { S3Client } from './s3-client.ts'
import { elementOf } from './s3-xml.ts'

/** Services that have no list of them keep none for long, or nobody can tell. */
const notOffered = [404, 405, 501]

/** Drops the parts of uploads to a location that were never put together: no object has them, and they are paid for. */
export async function dropUnfinishedUploads(client: S3Client, location: string): Promise<void> {
  const key = `${client.settings.prefix}${location}`
  const query = { uploads: '', prefix: key }
  const answer = await client.send({ method: 'GET', query, expected: [200, ...notOffered] })
  const said = await readText(answer)
  if (answer.status !== 200) return
  for (const upload of said.split('<Upload>').slice(1)) {
    const uploadId = elementOf(upload, 'UploadId')
    // Others may have keys that begin so.
    if (uploadId === undefined || elementOf(upload, 'Key') !== key) continue
    await readText(await client.send({ method: 'DELETE', location, query: { uploadId }, expected: [204, 200, 404] }))
  }
}
