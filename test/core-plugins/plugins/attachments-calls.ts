import type { Answer, Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'

/** A file of a form. */
export interface SentFile {
  readonly name: string
  readonly content: Buffer
}

/** Has a plugin call one of its functions for attachments. */
export function ask(by: Api, name: string, args: readonly unknown[], plugin = 'acme.files'): Promise<Answer> {
  return by.post(`/tenant/plugins/${plugin}/api/call`, { name, args })
}

/** What it answers. */
export async function answer(by: Api, name: string, args: readonly unknown[], plugin?: string): Promise<Body> {
  return dataOf(await ask(by, name, args, plugin))
}

/** The code of a refusal, otherwise the status. */
export function codeOf({ status, body }: Answer): unknown {
  return status < 400 ? status : body['code']
}

/** The names of the files that a plugin sees for somebody. */
export async function names(by: Api, query: object = {}, plugin?: string): Promise<unknown> {
  const { attachments } = await answer(by, 'list', [query], plugin)
  return (attachments as unknown as { filename: string }[]).map(({ filename }) => filename)
}

/** Sends a form with files. */
export function sendForm(
  by: Api,
  at: string,
  fields: Record<string, string>,
  files: readonly SentFile[],
  headers = {},
): Promise<Answer> {
  const boundary = 'stoa-test-boundary'
  const part = (head: string, content: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ])
  const body = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, Buffer.from(value))),
    ...files.map(({ name, content }) => part(`name="file"; filename="${name}"`, content)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return by.post(at, body, { headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers } })
}
/** Sends one to a plugin. */
export function form(
  by: Api,
  fields: Record<string, string>,
  files: readonly SentFile[],
  plugin = 'acme.files',
): Promise<Answer> {
  return sendForm(by, `/tenant/plugins/${plugin}/api/forms`, fields, files)
}
