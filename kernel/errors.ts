import { fillTemplate, type Said, type TextValues } from './said.ts'

/** Marks a fault whose message was written in the language of who reads it. */
export const isTold: unique symbol = Symbol('told')

/** One fault of one field, as it stands in the `errors` list of an answer. */
export interface FieldError {
  readonly field: string
  readonly rule: string
  readonly message: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly [isTold]?: true
}

/** What one occurrence of an error knows beyond its kind. */
export interface AppErrorOptions {
  readonly errors?: readonly FieldError[]
  readonly details?: Readonly<Record<string, unknown>>
  /** Response headers, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>
  /** Members of the answer's body beside those that every error has. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The names in braces of a message: `'There is no {thing}'` → `'thing'`. */
type Placeholders<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Values<M extends string> = { readonly [name in Placeholders<M>]: string | number | Said }
type Arguments<M extends string> = [Placeholders<M>] extends [never]
  ? [options?: AppErrorOptions]
  : [values: Values<M>, options?: AppErrorOptions]

/** An error that may be shown to the caller; the first three digits of its code are the HTTP status. */
export class AppError extends Error {
  readonly code: number
  readonly reason: string
  readonly template: string
  readonly values: TextValues
  readonly errors: readonly FieldError[] | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly beside: Readonly<Record<string, unknown>> | undefined

  constructor(code: number, reason: string, template: string, values: TextValues = {}, options: AppErrorOptions = {}) {
    super(fillTemplate(template, values), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.reason = reason
    this.template = template
    this.values = values
    this.errors = options.errors
    this.details = options.details
    this.headers = options.headers ?? {}
    this.beside = options.beside
  }

  /** The HTTP status: the first three digits of the code. */
  get status(): number {
    return Math.floor(this.code / 10)
  }
}

/** A kind of error, declared once with `defineError`. */
export type AppErrorClass<M extends string = string> = {
  new (...args: Arguments<M>): AppError
  readonly code: number
  readonly reason: string
  readonly template: M
}

/** Declares a kind of error: its code from the one table, a stable slug, and a message whose `{names}` become arguments. */
export function defineError<const M extends string>(code: number, reason: string, message: M): AppErrorClass<M> {
  const hasValues = /\{\w+\}/.test(message)
  return class DefinedError extends AppError {
    static readonly code = code
    static readonly reason = reason
    static readonly template = message
    constructor(...args: Arguments<M>) {
      const [values, options] = (hasValues ? args : [{}, args[0]]) as [TextValues, AppErrorOptions?]
      super(code, reason, message, values, options)
      this.name = reason
    }
  }
}

/** An error that is told by a text, for whoever reads of it later; its message is the English one. */
export class SaidError extends Error {
  readonly said: Said

  constructor(said: Said, options?: ErrorOptions) {
    super(said.words, options)
    this.said = said
  }
}

/** What an error says, to be kept; what is none of the platform's stays as it was written. */
export function sayError(error: unknown): Said {
  if (error instanceof SaidError) return error.said
  if (!(error instanceof AppError)) return { words: error instanceof Error ? error.message : String(error) }
  const { message: words, reason, values } = error
  const rule = error.details?.['rule']
  return { words, reason, ...(typeof rule === 'string' && { rule }), ...(Object.keys(values).length > 0 && { values }) }
}

export const BadRequestError = defineError(4000, 'bad_request', 'The request is not understood')
export const UnsupportedApiVersionError = defineError(
  4000,
  'unsupported_api_version',
  'There is no version {version} of this interface',
)
export const MalformedBodyError = defineError(4001, 'malformed_body', 'The body cannot be parsed')
export const UnauthenticatedError = defineError(4010, 'unauthenticated', 'Sign in first')
export const ReauthRequiredError = defineError(
  4018,
  'reauth_required',
  'Sign in again first: this needs a fresh sign-in',
)
export const PermissionDeniedError = defineError(4031, 'permission_denied', 'The permission {permission} is needed')
/** A write to something the caller may see but whose data scope does not reach it. */
export const DataScopeError = defineError(4031, 'data_scope', 'This is outside of what you may change')
export const ScopeMismatchError = defineError(4033, 'scope_mismatch', 'This path is for {scope} tokens')
export const TenantInactiveError = defineError(4035, 'tenant_inactive', 'The tenant is not active')
export const NotFoundError = defineError(4040, 'not_found', 'Not found')
export const TenantNotFoundError = defineError(4040, 'tenant_not_found', 'There is no such tenant')
export const TenantNotRecognisedError = defineError(4041, 'tenant_not_recognised', 'No tenant answers to this host')
export const RouteNotFoundError = defineError(4044, 'route_not_found', 'There is no such endpoint')
export const MethodNotAllowedError = defineError(4050, 'method_not_allowed', 'The method is not allowed here')
export const NotAcceptableError = defineError(4060, 'not_acceptable', 'This is sent as {available} alone')
export const IdempotencyMismatchError = defineError(
  4099,
  'idempotency_mismatch',
  'The key was used with another request',
)
export const RequestInProgressError = defineError(4090, 'request_in_progress', 'The same request is still running')
/** Its host is gone, or it failed half-way: under this key it is never done again. */
export const RequestOutcomeUnknownError = defineError(
  4090,
  'request_outcome_unknown',
  'Nobody knows what became of the first request with this key; look, and send a new key if it is to be done again',
)
export const AnswerNotKeptError = defineError(
  4090,
  'answer_not_kept',
  'The first request with this key was answered, and its answer is not kept',
)
export const PreconditionFailedError = defineError(4120, 'version_conflict', 'It was changed by someone else')
export const PayloadTooLargeError = defineError(4130, 'payload_too_large', 'The body is larger than {limit} bytes')
export const TooManyPartsError = defineError(4130, 'too_many_parts', 'The body has more than {limit} parts of a kind')
export const UnsupportedMediaTypeError = defineError(4150, 'unsupported_media_type', 'Send {expected}')
export const ExpectationFailedError = defineError(
  4170,
  'expectation_failed',
  'Nothing is expected here but 100-continue',
)
export const ValidationFailedError = defineError(4220, 'validation_failed', 'Some fields are not valid')
export const ParamsInvalidError = defineError(4221, 'params_invalid', 'Some parameters are not valid')
export const OriginRefusedError = defineError(4030, 'origin_refused', 'Pages of this origin may not connect')
export const RateLimitedError = defineError(4290, 'rate_limited', 'Too many requests')
export const InternalError = defineError(5000, 'internal_error', 'Internal error')
export const UnavailableError = defineError(5030, 'unavailable', 'The service is not available at the moment')
