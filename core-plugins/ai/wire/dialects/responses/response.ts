import type { AnswerAbout, DialectError } from '../../dialect.ts'
import type { FinishReason, NeutralUsage } from '../../neutral.ts'

/** How far a response is, and what came of it. */
interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly output: readonly object[]
  readonly usage?: NeutralUsage | undefined
  readonly finish?: FinishReason | undefined
  readonly error?: DialectError
}

/** A `response` object; what the client asked for stands in it as it was asked. */
export function presentResponse({ id, created, model, request }: AnswerAbout, state: ResponseState): object {
  const asked = request.source?.body ?? {}
  const { status, output, usage, finish, error } = state
  return {
    ...{ id, object: 'response', created_at: created, status, background: false },
    error: error ? { code: error.reason, message: error.message } : null,
    incomplete_details: status === 'incomplete' ? { reason: incompleteOf(finish) } : null,
    instructions: asked['instructions'] ?? null,
    max_output_tokens: asked['max_output_tokens'] ?? null,
    ...{ model, output },
    parallel_tool_calls: asked['parallel_tool_calls'] ?? true,
    previous_response_id: asked['previous_response_id'] ?? null,
    reasoning: asked['reasoning'] ?? { effort: null, summary: null },
    store: asked['store'] ?? true,
    temperature: asked['temperature'] ?? null,
    text: asked['text'] ?? { format: { type: 'text' } },
    tool_choice: asked['tool_choice'] ?? 'auto',
    tools: asked['tools'] ?? [],
    top_p: asked['top_p'] ?? null,
    truncation: 'disabled',
    usage: usage ? presentUsage(usage) : null,
    user: asked['user'] ?? null,
    metadata: asked['metadata'] ?? {},
  }
}

/** Whether an answer is whole, or was ended before the model ended it. */
export function statusOf(finish: FinishReason | undefined): 'completed' | 'incomplete' {
  return finish === 'length' || finish === 'quota' || finish === 'content_filter' ? 'incomplete' : 'completed'
}

function incompleteOf(finish: FinishReason | undefined): string {
  return finish === 'content_filter' ? 'content_filter' : 'max_output_tokens'
}

function presentUsage({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: NeutralUsage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
