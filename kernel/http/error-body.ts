import { STATUS_CODES } from 'node:http'
import { surroundingsError } from '../data/surroundings.ts'
import { InternalError, type AppError } from '../errors.ts'
import { addHeaders, type AnswerHeaders } from './answer-headers.ts'
import { isForm } from './body.ts'
import type { ToldError } from '../locale/text-teller.ts'
import type { ErrorForm } from './error-forms.ts'
import type { RequestContext } from './request-context.ts'

/** Codes that say that the token itself, and not its absence, is the fault. */
const badToken: ReadonlySet<number> = new Set([4012, 4013, 4014, 4019])

/** The members every error body has, and those it has when there is something to say. */
interface ErrorBody {
  readonly code: number
  readonly message: string
  readonly trace_id: string
  readonly reason: string
  readonly errors?: AppError['errors']
  readonly details?: AppError['details']
}

/** An error as the body that callers see. */
export function errorBody({ code, reason, details }: AppError, told: ToldError, traceId: string): ErrorBody {
  const { message, errors } = told
  return { code, message, trace_id: traceId, reason, ...(errors && { errors }), ...(details && { details }) }
}

/** An error as its whole answer: RFC 9457 where that is asked for, with RFC 6749's members where a form asked for a token. */
export function presentError(
  ctx: RequestContext,
  error: AppError,
  told: ToldError,
): { status: number; headers: AnswerHeaders; text: string } {
  const { message } = told
  const body = errorBody(error, told, ctx.traceId)
  const oauth = asksForToken(ctx) && { error: oauthError(error), error_description: message }
  const status = oauth && oauth.error === 'invalid_grant' ? 400 : error.status
  const headers: AnswerHeaders = { 'cache-control': 'no-store', ...challenge(error, status), ...patience(error) }
  addHeaders(headers, error.headers)
  const isProblem = /application\/problem\+json/i.test(ctx.request.headers.accept ?? '')
  headers['content-type'] = isProblem ? 'application/problem+json' : 'application/json; charset=utf-8'
  const standard = isProblem && problem(error, status, message, ctx.traceId)
  return { status, headers, text: JSON.stringify({ ...error.beside, ...standard, ...body, ...oauth }) }
}

/** An error in a form of another interface; how long to wait is said only where somebody knows. */
export function presentForeign(
  ctx: RequestContext,
  error: AppError,
  told: ToldError,
  form: ErrorForm,
): { status: number; headers: AnswerHeaders; text: string } {
  const { status, details } = error
  const wait = typeof details?.['retry_after'] === 'number' ? patience(error) : {}
  const headers: AnswerHeaders = { 'cache-control': 'no-store', ...challenge(error, status), ...wait }
  addHeaders(headers, error.headers)
  headers['content-type'] = 'application/json; charset=utf-8'
  return { status, headers, text: JSON.stringify(form(error, told, ctx)) }
}

/** What is shown of a failure that was not meant for callers: whose fault it was, when it was that of the surroundings. */
export function hideError(cause: unknown): AppError {
  return surroundingsError(cause) ?? new InternalError({ cause })
}

/** Whether OAuth 2's form for tokens came; a form that is sent elsewhere is no such request. */
function asksForToken(ctx: RequestContext): boolean {
  return ctx.route?.grantsTokens !== undefined && isForm(ctx)
}

function problem({ code }: AppError, status: number, message: string, traceId: string): object {
  return {
    type: `urn:mtai:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    instance: `urn:trace:${traceId}`,
  }
}

function challenge({ code, details }: AppError, status: number): AnswerHeaders {
  const bearer = 'Bearer realm="api"'
  if (status === 401) {
    return { 'www-authenticate': badToken.has(code) ? `${bearer}, error="invalid_token"` : bearer }
  }
  const permission = code === 4031 ? details?.['permission'] : undefined
  if (typeof permission !== 'string') return {}
  return {
    'www-authenticate': `${bearer}, error="insufficient_scope", scope="${permission.replace(/["\\\r\n]/g, '')}"`,
  }
}

/** When to come again, where that is said with every refusal. */
export function patience({ status, details }: AppError): AnswerHeaders {
  if (status !== 429 && status !== 503) return {}
  const wait = details?.['retry_after']
  return { 'retry-after': typeof wait === 'number' ? String(Math.max(1, Math.ceil(wait))) : '1' }
}

function oauthError({ status, errors }: AppError): string {
  if (errors?.some(({ field, rule }) => field === 'grant_type' && rule === 'options')) return 'unsupported_grant_type'
  if (status === 401 || status === 403) return 'invalid_grant'
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
