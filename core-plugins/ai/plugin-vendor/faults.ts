import { AppError } from '#kernel'
import { cannotCarry } from '../wire/faults.ts'
import { UpstreamFaultError, type UpstreamFault } from '../wire/vendor.ts'

const classes: ReadonlyMap<string, UpstreamFault['class']> = new Map([
  ...(['auth', 'rate_limit', 'overloaded', 'bad_request', 'context_length', 'content_filter'] as const).map(
    (each) => [each, each] as const,
  ),
  ...(['not_found', 'server', 'bad_response'] as const).map((each) => [each, each] as const),
  ['rate_limited', 'rate_limit'],
])

/** What a refusal means: the plugin's word, or where that is none the status. */
export function classOf(word: string | undefined, status: number): UpstreamFault['class'] {
  const known = classes.get(word ?? '')
  if (known) return known
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  return status >= 400 && status < 500 ? 'bad_request' : 'server'
}

/**
 * A plugin that failed, as a fault of its provider: another target may do better. A plugin that says of a request that it is nothing for
 * its provider did not fail.
 */
export function faultOfPlugin(error: unknown, about?: 'request'): Error {
  if (!(error instanceof AppError)) return error as Error
  const { code, reason, message } = error
  const isRefusal = about === 'request' && (code === 4002 || code === 4220) && reason.startsWith('plugin.')
  if (isRefusal) return cannotCarry('messages', message)
  const isShapeless = code === 5029
  const what = `The plugin of the provider failed: ${String(code)} ${reason}`
  return new UpstreamFaultError({ class: isShapeless ? 'bad_response' : 'server', status: 0, message: what })
}
