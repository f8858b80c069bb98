import { isObject, type JsonObject } from '../../json.ts'
import { parseRetryAfter } from '../../retry-after.ts'
import type { UpstreamFault } from '../../vendor.ts'
import { glanceAt, wordOf } from '../said.ts'

/** What a refusal means, by its status and the details of its error. */
export function geminiFault(status: number, headers: Readonly<Record<string, string>>, body: string): UpstreamFault {
  const error = glanceAt(body)['error']
  const retryAfterMs = parseRetryAfter(headers) ?? retryDelayOf(error)
  const fault = faultOfError(status, error)
  return retryAfterMs === undefined ? fault : { ...fault, retryAfterMs }
}

/** What an `error` object means; status 0 for one that came within a stream. */
export function faultOfError(status: number, error: unknown): UpstreamFault {
  const said: JsonObject = isObject(error) ? error : {}
  const told = wordOf(said['message'])
  const kind = classOf(status === 0 && typeof said['code'] === 'number' ? said['code'] : status, said, told)
  return { class: kind, status, message: kind === 'auth' ? 'The credential was refused' : told.slice(0, 500) }
}

function classOf(status: number, error: JsonObject, message: string): UpstreamFault['class'] {
  if (status === 401 || status === 403 || detailsOf(error).some(({ reason }) => reason === 'API_KEY_INVALID')) {
    return 'auth'
  }
  // There is no status of its own for it.
  if (status === 400 && /exceeds the maximum number of tokens/i.test(message)) return 'context_length'
  if (status === 429 || error['status'] === 'RESOURCE_EXHAUSTED') return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  if (status === 404) return 'not_found'
  return status >= 400 && status < 500 ? 'bad_request' : 'server'
}

/** `google.rpc.RetryInfo` has it in seconds: `13s`. */
function retryDelayOf(error: unknown): number | undefined {
  const delay = isObject(error) ? detailsOf(error).find(({ retryDelay }) => retryDelay !== undefined) : undefined
  const seconds = Number.parseFloat(wordOf(delay?.['retryDelay']))
  return Number.isNaN(seconds) ? undefined : seconds * 1000
}

function detailsOf({ details }: JsonObject): readonly JsonObject[] {
  return Array.isArray(details) ? details.filter(isObject) : []
}
