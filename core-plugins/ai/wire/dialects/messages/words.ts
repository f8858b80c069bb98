import type { DialectError } from '../../dialect.ts'
import { present } from '../../json.ts'
import type { FinishReason, NeutralReasoning, NeutralUsage } from '../../neutral.ts'
import { writeSeal } from '../../seals.ts'

const stops: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  quota: 'max_tokens',
  tool_calls: 'tool_use',
  stop_sequence: 'stop_sequence',
  content_filter: 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
}

/** Why an answer ended, in Anthropic's words. */
export function presentStop(reason: FinishReason): string {
  return stops[reason]
}

/** Usage in Anthropic's words: input is what was neither read from the cache nor written to it. */
export function presentUsage(usage: NeutralUsage | undefined): object {
  const { inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage ?? {}
  return {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
  }
}

/** A thought as a block; of other vendors the signature says whose it is. */
export function presentThought({ vendor, id, text, signature, encrypted }: NeutralReasoning): object {
  if (vendor === 'anthropic') {
    if (encrypted !== undefined) return { type: 'redacted_thinking', data: encrypted }
    return { type: 'thinking', thinking: text ?? '', signature: signature ?? '' }
  }
  const seal = sealOf(present({ vendor, id, signature, encrypted }))
  if (encrypted !== undefined && (text === undefined || text === '')) return { type: 'redacted_thinking', data: seal }
  return { type: 'thinking', thinking: text ?? '', signature: seal }
}

/** The signature of a call, which its own block has no place for. */
export function presentCallSeal(callId: string, signature: string): object {
  return { type: 'redacted_thinking', data: writeSeal({ vendor: 'gemini', signature, callId }) }
}

/** What a client keeps for another vendor; what it can read of a thought stands beside. */
export function sealOf({ vendor, id, signature, encrypted }: Partial<NeutralReasoning>): string {
  return writeSeal(present({ vendor: vendor ?? '', id, signature, encrypted }))
}

/** An error in the form of Anthropic's reference. */
export function presentMessagesError(error: DialectError): object {
  const { message, reason, param, traceId } = error
  const told = { type: typeOf(error), message, code: reason, ...(param !== undefined && { param }) }
  return { type: 'error', error: told, request_id: traceId }
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

function typeOf({ status }: DialectError): string {
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
