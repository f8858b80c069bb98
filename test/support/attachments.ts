import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'undici'
import type { Answer, Api, Body } from './api.ts'
import { dataOf } from './platform.ts'

/** Fields and a file of a form, in this order. */
export interface UploadForm {
  readonly fields?: Readonly<Record<string, string>>
  readonly name?: string
  readonly content?: Buffer
  /** Fields that stand behind the file. */
  readonly after?: Readonly<Record<string, string>>
}

/** The hash of some bytes as uploads tell it. */
export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Sends a form to the upload. */
export function upload(by: Api, { fields = {}, name, content, after = {} }: UploadForm): Promise<Answer> {
  const boundary = 'stoa-test-boundary'
  const field = ([key, value]: readonly [string, string]): Buffer =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
  const file = (bytes: Buffer): readonly Buffer[] => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name ?? 'blob'}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    bytes,
    Buffer.from('\r\n'),
  ]
  const body = Buffer.concat([
    ...Object.entries(fields).map(field),
    ...(content ? file(content) : []),
    ...Object.entries(after).map(field),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return by.post('/attachments/upload', body, {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
}

/** Uploads a file that must be taken; answers its record. */
export async function uploaded(
  by: Api,
  name: string,
  content: Buffer,
  fields: UploadForm['fields'] = {},
): Promise<Body> {
  return dataOf(await upload(by, { name, content, fields }), 201)
}

/** The path and query of a link, for a host that listens elsewhere than its links say. */
export function pathOf(url: unknown): string {
  const { pathname, search } = new URL(String(url))
  return pathname + search
}

/** What an attachment gives, as bytes. */
export async function bytesAt(by: Api, path: string): Promise<Buffer> {
  const answer = await request(by.url + path, { headers: by.token ? { authorization: `Bearer ${by.token}` } : {} })
  const content = Buffer.from(await answer.body.arrayBuffer())
  assert.equal(answer.statusCode, 200, content.toString())
  return content
}

/** Announces a file. */
export function preflight(by: Api, filename: string, content: Buffer, more: object = {}): Promise<Answer> {
  return by.post('/attachments/preflight', { filename, size: content.length, hash: sha256(content), ...more })
}

/** A value of an answer as text. */
export function textOf(value: unknown): string {
  return String(value)
}
