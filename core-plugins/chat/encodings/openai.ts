import type { RunEvent, RunUsage } from '../run-events.ts'
import type { RunRow } from '../tables.ts'

/** Tells events as chunks of OpenAI's chat completions. Tools are called here, so their calls are no business of the client. */
export function openAiWriter({ id, agentId, startedAt }: RunRow): (event: RunEvent) => readonly unknown[] {
  const head = { id, object: 'chat.completion.chunk', created: Math.floor(startedAt.getTime() / 1_000), model: agentId }
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const end = (finish: string, data: RunEvent['data']): readonly unknown[] => [
    chunk({}, finish),
    ...(data['usage'] ? [{ ...head, choices: [], usage: usageIn(data['usage'] as RunUsage) }] : []),
    '[DONE]',
  ]
  return ({ kind, data }) => {
    switch (kind) {
      case 'run.started':
        return [chunk({ role: 'assistant', content: '' })]
      case 'message.delta':
        return [chunk({ content: data['text'] })]
      case 'reasoning.delta':
        return [chunk({ reasoning_content: data['text'] })]
      case 'run.completed':
        return end(finishOf(data['finish_reason']), data)
      case 'run.cancelled':
        return end('stop', data)
      case 'run.failed': {
        const { code, reason, message, trace_id: traceId } = data['error'] as Readonly<Record<string, unknown>>
        const error = {
          message,
          type: 'upstream_error',
          param: null,
          code: reason,
          status_code: code,
          trace_id: traceId,
        }
        return [{ error }, '[DONE]']
      }
      default:
        return []
    }
  }
}

function usageIn(usage: RunUsage) {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.total_tokens,
    prompt_tokens_details: { cached_tokens: usage.cached_input_tokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  }
}

function finishOf(reason: unknown): string {
  if (reason === 'content_filter') return 'content_filter'
  return reason === 'length' || reason === 'quota' || reason === 'tool_limit' ? 'length' : 'stop'
}
