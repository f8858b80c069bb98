import type { AppError } from '#kernel'
import type { Progress } from '../loop/loop.ts'
import { RunInterruptedError } from '../errors.ts'
import type { FinishReason, NewRunEvent, RunUsage } from '../run-events.ts'
import type { RunRow } from '../tables.ts'
import { forUsers } from './for-users.ts'
import type { StopReason } from './live-run.ts'
import { wholeMessage, type RunEnd } from './run-end.ts'

/** How a run ended: it answered, or waits for its user, or was stopped, or failed. */
export type Outcome =
  | { readonly finish: FinishReason | 'awaiting_confirmation' }
  | { readonly stopped: Exclude<StopReason, 'stopping'> }
  | { readonly error: AppError }

/** How a run ended that threw. */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (!signal.aborted) return { error: forUsers(error) }
  const why = signal.reason as StopReason
  return why === 'stopping' ? { error: new RunInterruptedError() } : { stopped: why }
}

/** What is kept of a run that ended so, and what is told of it; the last is terminal. */
export function endingOf(
  outcome: Outcome,
  run: Pick<RunRow, 'messageId' | 'traceId'>,
  progress: Progress,
  usage: RunUsage | null,
): { readonly status: RunEnd['status']; readonly message: RunEnd['message']; readonly events: readonly NewRunEvent[] } {
  const { content, said, open, toolCalls, citations } = progress
  // What was said of an answer that broke off is part of the conversation.
  const whole =
    open === '' ? said : [...said, { role: 'assistant' as const, parts: [{ type: 'text' as const, text: open }] }]
  const message = { content, said: whole, toolCalls, citations, usage }
  const took = usage ? [{ kind: 'usage' as const, data: { ...usage } }] : []
  if ('finish' in outcome) {
    const isWaiting = outcome.finish === 'awaiting_confirmation'
    const status = isWaiting ? 'awaiting_confirmation' : 'completed'
    const finished = { ...message, finishReason: outcome.finish === 'awaiting_confirmation' ? null : outcome.finish }
    const end = { status, finish_reason: finished.finishReason, usage }
    return {
      ...{ status, message: finished },
      events: [
        ...citations.map((citation) => ({ kind: 'citation' as const, data: { ...citation } })),
        ...took,
        { kind: 'message.completed', data: { message: wholeMessage(run, finished) } },
        { kind: 'run.completed', data: end },
      ],
    }
  }
  const partial = content !== ''
  if ('stopped' in outcome) {
    const end = { status: 'cancelled', finish_reason: 'cancelled', reason: outcome.stopped, partial, usage }
    return {
      ...{ status: 'cancelled', message: { ...message, finishReason: 'cancelled' } },
      events: [...took, { kind: 'run.cancelled', data: end }],
    }
  }
  return {
    ...{ status: 'failed', message: { ...message, finishReason: 'error' } },
    events: [...took, failure(outcome.error, run.traceId, { partial, usage })],
  }
}

/** How a failure is told in a stream. */
export function failure(
  { code, reason, message, status }: AppError,
  traceId: string,
  more: { readonly partial: boolean; readonly usage: RunUsage | null },
): NewRunEvent {
  const retryable = status === 429 || status >= 500
  const error = { code, reason, message, trace_id: traceId, retryable }
  return { kind: 'run.failed', data: { status: 'failed', finish_reason: 'error', error, ...more } }
}
