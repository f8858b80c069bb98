import type { FinishReason, NeutralUsage } from '../../neutral.ts'

/** Usage in this dialect's words. */
export function presentUsage(usage: NeutralUsage): object {
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  pause: 'stop',
  length: 'length',
  quota: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
}

/** Why an answer ended, in one of this dialect's four words. */
export function presentFinish(reason: FinishReason): string {
  return reasons[reason]
}
