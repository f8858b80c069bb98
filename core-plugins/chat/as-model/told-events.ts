import { AppError } from '#kernel'
import type { NeutralEvent } from '../../ai/contract.ts'
import { errorIn } from '../door/error-in.ts'
import type { RunEvent, RunUsage } from '../run-events.ts'

/** A run as the steps of a model's answer; throws the error with which it failed. */
export async function* toldEvents(
  events: AsyncIterable<RunEvent>,
  model: string,
  runId: string,
): AsyncGenerator<NeutralEvent> {
  yield { type: 'start', id: runId, model }
  for await (const { kind, data } of events) {
    switch (kind) {
      case 'message.delta':
        yield { type: 'text', text: String(data['text']) }
        break
      case 'reasoning.delta':
        yield { type: 'reasoning', vendor: 'stoa', text: String(data['text']) }
        break
      case 'message.replaced':
        // What was told cannot be taken back here, and the answer ends as a model's would.
        throw new AppError(4002, String(data['reason']), 'The content was refused')
      case 'run.completed':
      case 'run.cancelled':
        yield* endOf(data)
        break
      case 'run.failed':
        throw errorIn(data)
      default:
    }
  }
}

function endOf(data: RunEvent['data']): readonly NeutralEvent[] {
  const usage = data['usage'] as RunUsage | null
  const told = usage && {
    ...{ inputTokens: usage.input_tokens, cachedInputTokens: usage.cached_input_tokens, cacheWriteTokens: 0 },
    ...{ outputTokens: usage.output_tokens, reasoningTokens: usage.reasoning_tokens },
  }
  return [...(told ? [{ type: 'usage' as const, usage: told }] : []), { type: 'finish', reason: finishOf(data) }]
}

function finishOf({ finish_reason: reason }: RunEvent['data']): 'stop' | 'length' | 'content_filter' {
  if (reason === 'content_filter') return reason
  return reason === 'length' || reason === 'quota' || reason === 'tool_limit' ? 'length' : 'stop'
}
