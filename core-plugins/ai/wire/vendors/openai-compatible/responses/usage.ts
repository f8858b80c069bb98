import { isObject } from '../../../json.ts'
import type { FinishReason, NeutralUsage } from '../../../neutral.ts'
import { countOf } from '../../said.ts'

/** The usage of a response; one that makes no sense is none. */
export function readResponseUsage(value: unknown): NeutralUsage | undefined {
  if (!isObject(value)) return undefined
  const [inputTokens, outputTokens] = [countOf(value['input_tokens']), countOf(value['output_tokens'])]
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const detail = (group: string, name: string): number => {
    const details = value[group]
    return (isObject(details) ? countOf(details[name]) : undefined) ?? 0
  }
  const reasoningTokens = detail('output_tokens_details', 'reasoning_tokens')
  return {
    inputTokens,
    cachedInputTokens: Math.min(inputTokens, detail('input_tokens_details', 'cached_tokens')),
    cacheWriteTokens: 0,
    outputTokens: Math.max(outputTokens, reasoningTokens),
    reasoningTokens,
  }
}

/** Why a response ended. */
export function readResponseFinish(details: unknown, isWhole: boolean, hasCalls: boolean): FinishReason {
  if (isWhole) return hasCalls ? 'tool_calls' : 'stop'
  return isObject(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length'
}
