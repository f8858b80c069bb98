import type { AppError, Reply } from '#kernel'
import type { Json } from '../../capabilities/json.ts'
import type { TestAnswer } from './contract.ts'

/** What a caller would see, without what a call cost. */
export type SeenAnswer = Pick<TestAnswer, 'status' | 'code' | 'data' | 'headers' | 'error' | 'stack'>

/** A reply of the platform as a test sees it. */
export function toAnswer({ body, status, headers }: Reply): SeenAnswer {
  const seen = { status, code: 0, headers }
  switch (body.kind) {
    case 'json-text':
      return { ...seen, data: JSON.parse(body.text) as Json }
    case 'data':
      return { ...seen, data: body.data as Json }
    case 'raw':
      return { ...seen, headers: { ...headers, 'content-type': body.contentType }, data: textOf(body.content) }
    case 'redirect':
      return { ...seen, headers: { ...headers, location: body.location }, data: null }
    default:
      throw new Error(`A plugin does not answer with ${body.kind}`)
  }
}

/** An error of the platform as a caller sees it. */
export function toErrorAnswer({ status, code, reason, message, details, errors, headers }: AppError): SeenAnswer {
  const error = { reason, message, ...(details === undefined ? {} : { details }), ...(errors && { errors }) }
  return { status, code, data: null, headers, error }
}

function textOf(content: unknown): Json {
  if (typeof content === 'string') return content
  if (!Buffer.isBuffer(content)) return null
  const text = content.toString('utf8')
  return Buffer.from(text).equals(content) ? text : { base64: content.toString('base64') }
}
