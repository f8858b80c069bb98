import { isObject, type JsonObject } from '../../json.ts'
import type { FinishReason, NeutralUsage } from '../../neutral.ts'
import { countOf } from '../said.ts'

/** The usage that a server reports; one that makes no sense is none. */
export function readOpenAiUsage(value: unknown): NeutralUsage | undefined {
  if (!isObject(value)) return undefined
  const inputTokens = countOf(value['prompt_tokens'])
  if (inputTokens === undefined) return undefined
  // Of vectors there is no output.
  const { completion_tokens: said = null, total_tokens: total } = value
  const outputTokens = said === null ? Math.max(0, (countOf(total) ?? 0) - inputTokens) : countOf(said)
  if (outputTokens === undefined) return undefined
  // DeepSeek has its own word for what was cached.
  const cached =
    detail(value, 'prompt_tokens_details', 'cached_tokens') ?? countOf(value['prompt_cache_hit_tokens']) ?? 0
  const reasoning = detail(value, 'completion_tokens_details', 'reasoning_tokens') ?? 0
  return {
    inputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: 0,
    outputTokens: Math.max(outputTokens, reasoning),
    reasoningTokens: reasoning,
  }
}

function detail(usage: JsonObject, group: string, name: string): number | undefined {
  const details = usage[group]
  return isObject(details) ? countOf(details[name]) : undefined
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

/** Why an answer ended; a word of a server's own is an end like any other. */
export function readFinish(reason: string): FinishReason {
  return reasons[reason] ?? 'stop'
}
