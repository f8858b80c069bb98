import {
  AnswerNotKeptError,
  AppError,
  RequestOutcomeUnknownError,
  type AppErrorOptions,
  type FieldError,
} from '../errors.ts'
import type { TextValues } from '../said.ts'
import { isWithoutEffect } from '../without-effect.ts'
import { hideError } from './error-body.ts'
import { Reply, type ReplyBody } from './reply.ts'

type Headers = Readonly<Record<string, string>>
type KeptBody =
  | { readonly kind: 'data' | 'bare'; readonly text: string }
  | { readonly kind: 'raw'; readonly base64: string; readonly contentType: string }
  | { readonly kind: 'redirect'; readonly location: string }

interface KeptError {
  readonly kind: 'error'
  readonly code: number
  readonly reason: string
  readonly template: string
  readonly values: TextValues
  readonly errors?: readonly FieldError[]
  readonly details?: Readonly<Record<string, unknown>>
}

/** An answer as it is kept under an Idempotency-Key, to be given again. */
export type KeptAnswer =
  | (KeptBody & { readonly status: number; readonly headers: Headers })
  | KeptError
  /** It was given, and is too large or was a stream. */
  | { readonly kind: 'unkept' }

/** Larger files are not worth their room in the database. */
const mostRawBytes = 1_048_576

/** What is kept of what a handler returned, with the headers it set. */
export function keepValue(value: unknown, handlerHeaders: Headers): KeptAnswer {
  const reply = value instanceof Reply ? value : new Reply({ kind: 'data', data: value }, 200)
  const body = isStream(value) ? undefined : keepBody(reply.body)
  return body ? { ...body, status: reply.status, headers: { ...handlerHeaders, ...reply.headers } } : { kind: 'unkept' }
}

/** What is kept of what a handler threw; undefined where it is proven that nothing was done, and the request may come again. */
export function keepError(thrown: unknown): KeptAnswer | undefined {
  const error = thrown instanceof AppError ? thrown : hideError(thrown)
  const { code, reason, template, values, errors, details, status } = error
  // Who calls is asked before anything is done, and the caller comes again once it has shown who it is.
  if (status === 401) return undefined
  if (mayPass(status) && isWithoutEffect(error)) return undefined
  return { kind: 'error', code, reason, template, values, ...(errors && { errors }), ...(details && { details }) }
}

/** Gives a kept answer again. */
export function giveAgain(kept: KeptAnswer): Reply {
  if (kept.kind === 'error') throw errorAgain(kept)
  if (kept.kind === 'unkept') throw new AnswerNotKeptError()
  return new Reply(bodyAgain(kept), kept.status, kept.headers)
}

function keepBody(body: ReplyBody): KeptBody | undefined {
  switch (body.kind) {
    case 'data':
      return { kind: 'data', text: textOf(body.data) }
    case 'json-text':
      return { kind: 'data', text: body.text }
    case 'bare':
      return { kind: 'bare', text: textOf(body.value) }
    case 'redirect':
      return body
    case 'raw':
      return keepRaw(body.content, body.contentType)
    case 'events':
      return undefined
  }
}

function keepRaw(content: unknown, contentType: string): KeptBody | undefined {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (!Buffer.isBuffer(bytes) || bytes.length > mostRawBytes) return undefined
  return { kind: 'raw', base64: bytes.toString('base64'), contentType }
}

function bodyAgain(kept: KeptBody): ReplyBody {
  switch (kept.kind) {
    case 'data':
      return { kind: 'json-text', text: kept.text }
    case 'bare':
      return { kind: 'bare', value: JSON.parse(kept.text) as unknown }
    case 'redirect':
      return { kind: 'redirect', location: kept.location }
    case 'raw':
      return { kind: 'raw', content: Buffer.from(kept.base64, 'base64'), contentType: kept.contentType }
  }
}

/** "Come again" would be untrue: what failed under this key may have been done in part, and is never done again. */
function errorAgain(kept: KeptError): AppError {
  const { code, reason, template, values, errors, details } = kept
  const status = Math.floor(code / 10)
  if (status === 429 || status === 503)
    return new RequestOutcomeUnknownError({ details: { first: { status, code, reason } } })
  const options: AppErrorOptions = { ...(errors && { errors }), ...(details && { details }) }
  return new AppError(code, reason, template, values, options)
}

/** Failures that may have gone the next time. */
function mayPass(status: number): boolean {
  return status >= 500 || status === 409 || status === 429
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'pipe' in value && typeof value.pipe === 'function'
}

function textOf(value: unknown): string {
  return JSON.stringify(value ?? null)
}
