import type { DeliveryRow, HookRow } from '../models.ts'
import { hintOf } from './target.ts'

/** Row → response body. */
export function presentHook(row: HookRow, url: string) {
  const { id, name, events, filter, state, pausedFor, failures, failingSince, seenBy, createdAt, updatedAt } = row
  return {
    ...{ id, name, url: hintOf(url), events, filter, state, paused_for: pausedFor, failures, seen_by: seenBy },
    failing_since: failingSince?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}

/** Row → response body of a list. */
export function presentDelivery(row: DeliveryRow) {
  const { id, event, state, attempts, occurredAt, createdAt, nextAt, endedAt } = row
  const last = attempts.at(-1)
  return {
    ...{ id, event, state, attempts: attempts.length },
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    occurred_at: occurredAt.toISOString(),
    created_at: createdAt.toISOString(),
    next_at: nextAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
  }
}

/** The same, with each attempt, and for those who may see it with what was sent. */
export function presentWholeDelivery(row: DeliveryRow, isSeen: boolean) {
  return { ...presentDelivery(row), data: isSeen ? row.data : null, attempt_log: row.attempts }
}
