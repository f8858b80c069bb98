import { isObject } from '../../json.ts'
import { parseRetryAfter } from '../../retry-after.ts'
import type { UpstreamFault } from '../../vendor.ts'
import { glanceAt, wordOf } from '../said.ts'

/** What a refusal means, by its status and the `type` of its error. */
export function anthropicFault(status: number, headers: Readonly<Record<string, string>>, body: string): UpstreamFault {
  const retryAfterMs = parseRetryAfter(headers)
  const fault = faultOfError(status, glanceAt(body)['error'])
  return retryAfterMs === undefined ? fault : { ...fault, retryAfterMs }
}

/** What an `error` object means; status 0 for one that came within a stream. */
export function faultOfError(status: number, error: unknown): UpstreamFault {
  const { type, message } = isObject(error) ? error : {}
  const told = wordOf(message)
  const kind = classOf(status, wordOf(type), told)
  return { class: kind, status, message: kind === 'auth' ? 'The credential was refused' : told.slice(0, 500) }
}

const classes: Readonly<Record<string, UpstreamFault['class']>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  not_found_error: 'not_found',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  invalid_request_error: 'bad_request',
  request_too_large: 'bad_request',
  api_error: 'server',
  timeout_error: 'server',
}

function classOf(status: number, type: string, message: string): UpstreamFault['class'] {
  // There is no type of its own for it.
  if (type === 'invalid_request_error' && /prompt is too long|context limit/i.test(message)) return 'context_length'
  if (status === 401 || status === 403) return 'auth'
  const known = classes[type]
  if (known) return known
  if (status === 429) return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  if (status === 404) return 'not_found'
  return status >= 400 && status < 500 ? 'bad_request' : 'server'
}
