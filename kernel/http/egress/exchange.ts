import { errors } from 'undici'
import { EgressError } from './egress-error.ts'

/** Throws an EgressError for a URL that is spoken to by nobody: another protocol, a user name, no host. */
export function checkUrl({ protocol, username, password, hostname }: URL): void {
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new EgressError('url_invalid', 'Only http and https are spoken')
  if (username || password) throw new EgressError('url_invalid', 'A URL must not carry a user name')
  if (hostname === '') throw new EgressError('url_invalid', 'The URL names no host')
}

/** What went wrong with an exchange, in words that name no address. */
export function explain(error: unknown, isTimedOut: boolean): EgressError {
  if (error instanceof EgressError) return error
  if (isTimedOut || isTimeout(error)) return new EgressError('timeout', 'The host did not answer in time', error)
  if (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    isDecodingError(error)
  ) {
    return new EgressError('response_invalid', 'The answer is not valid', error)
  }
  return new EgressError('connection_failed', 'The connection failed', error)
}

/** Headers by their names, those that came several times in one line. */
export function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  )
}

function isDecodingError(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code
  return (
    typeof code === 'string' &&
    (code.startsWith('Z_') || code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI'))
  )
}
