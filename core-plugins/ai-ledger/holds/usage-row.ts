import type { AttemptRow, HoldWish } from '../contract.ts'

/** An attempt as a row of the ledger. */
export function usageRow(
  { requestId, spender, purpose }: Pick<HoldWish, 'requestId' | 'spender' | 'purpose'>,
  at: Date,
  attempt: AttemptRow,
) {
  const { usage } = attempt
  return {
    ...{ id: attempt.id, request_id: requestId, attempt: attempt.attempt, at, attempt_at: attempt.at },
    ...{ tenant_id: spender.tenantId, user_id: spender.userId, key_id: spender.keyId, agent_id: spender.agentId },
    ...{ conversation_id: spender.conversationId, purpose },
    ...{ model_id: attempt.modelId, model: attempt.model, model_version: attempt.modelVersion },
    ...{ provider_id: attempt.providerId, input_tokens: usage.inputTokens },
    ...{ cached_input_tokens: usage.cachedInputTokens, cache_write_tokens: usage.cacheWriteTokens },
    ...{ output_tokens: usage.outputTokens, reasoning_tokens: usage.reasoningTokens },
    ...{ cost_nano: String(attempt.costNano), list_cost_nano: String(attempt.listCostNano) },
    ...{ possible_cost_nano: String(attempt.possibleCostNano), saved_nano: String(attempt.savedNano ?? 0n) },
    ...{ usage_source: attempt.source, outcome: attempt.outcome, ttft_ms: attempt.ttftMs },
    ...{ duration_ms: attempt.durationMs, stream: attempt.stream, cached: attempt.cached ?? false },
    ...{ tool_calls: attempt.toolCalls ?? 0, tool_cpu_ms: attempt.toolCpuMs ?? 0, sandbox_ms: attempt.sandboxMs ?? 0 },
    tags: spender.tags?.length ? spender.tags : null,
  }
}
