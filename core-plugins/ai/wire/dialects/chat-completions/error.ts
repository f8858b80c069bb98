import type { DialectError } from '../../dialect.ts'

/** An error in the form of OpenAI's reference, with the trace id beside. */
export function presentChatError(error: DialectError): object {
  const { message, param, reason, traceId } = error
  return { error: { message, type: typeOf(error), param: param ?? null, code: reason, trace_id: traceId } }
}

function typeOf({ status, reason }: DialectError): string {
  if (reason === 'quota_exceeded' || reason === 'budget_exceeded') return 'insufficient_quota'
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 404) return 'not_found_error'
  if (status === 429) return 'rate_limit_error'
  if (status === 502 || status === 504) return 'upstream_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
