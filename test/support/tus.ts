import { Upload, type UploadOptions } from 'tus-js-client'
import type { Answer, Api } from './api.ts'
import { textOf } from './attachments.ts'

/** Where uploads by tus begin. */
export const tusPath = '/attachments/tus'

/** What a sender by tus is told beside its file. */
type TusOptions = Omit<Partial<UploadOptions>, 'endpoint' | 'onSuccess' | 'onError'>

/** An upload by the client that browsers have, and its end. */
interface TusUpload {
  readonly upload: Upload
  /** The id of the attachment that it comes to. */
  readonly attachment: Promise<string>
}

/** Makes an upload by tus-js-client as somebody; the caller starts it. */
export function tusUpload(by: Api, file: Upload['file'], options: TusOptions = {}): TusUpload {
  const ended = Promise.withResolvers<string>()
  ended.promise.catch(() => undefined)
  const upload = new Upload(file, {
    endpoint: `${by.url}${tusPath}`,
    retryDelays: [0, 100, 500, 1000],
    ...options,
    headers: { authorization: `Bearer ${textOf(by.token)}`, ...options.headers },
    onSuccess: ({ lastResponse }) => ended.resolve(textOf(lastResponse.getHeader('Attachment-Id'))),
    onError: (error) => ended.reject(error),
  })
  return { upload, attachment: ended.promise }
}

/** The headers of a request by tus, and others. */
export function tusHeaders(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { 'tus-resumable': '1.0.0', ...more }
}

/** What a sender says of a file. */
export function tusMetadata(said: Readonly<Record<string, string>>): string {
  return Object.entries(said)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

/** Begins an upload by hand. */
export function beginTus(
  by: Api,
  size: number,
  said: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = tusHeaders({ 'upload-length': String(size), 'upload-metadata': tusMetadata(said), ...more })
  return by.post(tusPath, undefined, { headers })
}

/** Goes on with one by hand. */
export function patchTus(
  by: Api,
  path: string,
  offset: number,
  content: Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...more }
  return by.call('PATCH', path, { body: content, headers: tusHeaders(headers) })
}
