import { isObject, type JsonObject } from '../../json.ts'
import { parseRetryAfter } from '../../retry-after.ts'
import type { UpstreamFault } from '../../vendor.ts'

/** What a refusal means, by its status and the `code` and `type` of its body. */
export function openAiFault(status: number, headers: Readonly<Record<string, string>>, body: string): UpstreamFault {
  const retryAfterMs = parseRetryAfter(headers)
  const fault = faultOfError(status, errorOf(body))
  return retryAfterMs === undefined ? fault : { ...fault, retryAfterMs }
}

/** What an `error` object means; status 0 for one that came within a stream. */
export function faultOfError(status: number, error: unknown): UpstreamFault {
  const said: JsonObject = isObject(error) ? error : { message: error }
  const { code, type, message } = said
  const told = typeof message === 'string' ? message : ''
  const kind = classOf(status === 0 && typeof code === 'number' ? code : status, [code, type], told)
  // The words of a refused credential often quote it.
  return { class: kind, status, message: kind === 'auth' ? 'The credential was refused' : told.slice(0, 500) }
}

function classOf(status: number, words: readonly unknown[], message: string): UpstreamFault['class'] {
  if (words.includes('context_length_exceeded') || /maximum context length|context window/i.test(message)) {
    return 'context_length'
  }
  if (words.includes('content_filter') || words.includes('content_policy_violation')) return 'content_filter'
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  if (status === 429 || words.includes('rate_limit_exceeded') || words.includes('insufficient_quota')) {
    return 'rate_limit'
  }
  if (status === 503 || status === 529 || words.includes('overloaded_error')) return 'overloaded'
  return status >= 400 && status < 500 ? 'bad_request' : 'server'
}

function errorOf(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) && value['error'] !== undefined ? value['error'] : value
  } catch {
    return undefined
  }
}
