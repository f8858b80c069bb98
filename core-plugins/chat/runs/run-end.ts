import type { Knex } from 'knex'
import { holdResults, type FileHolds } from '../files/hold-files.ts'
import { appendToTimeline } from '../timeline/append.ts'
import { entryOf } from '../timeline/entry-of.ts'
import { ConversationRow, MessageRow, RunEventRow, RunRow } from '../tables.ts'
import { keepEvents } from './journal.ts'
import { lastOf } from './run-store.ts'
import type { RunEvent, RunStatus } from '../run-events.ts'

/** What a run ends with. */
export interface RunEnd {
  readonly status: Exclude<RunStatus, 'running'>
  readonly message: Pick<MessageRow, 'content' | 'said' | 'toolCalls' | 'citations' | 'finishReason' | 'usage'>
  /** All that is not kept yet; the last is terminal. */
  readonly events: readonly RunEvent[]
}

/** Ends a run, with its answer and its last events, unless it is over already: answers whether this ended it. */
export async function endRun(
  run: RunRow,
  { status, message, events }: RunEnd,
  { db, holds }: { readonly db: Knex; readonly holds: FileHolds },
): Promise<boolean> {
  const { tenantId } = run
  return db.transaction(async (trx) => {
    // Before what hangs on it, as who deletes it does.
    await ConversationRow.of(tenantId, trx).findById(run.conversationId).forUpdate().select('id')
    const ended = await RunRow.of(tenantId, trx)
      .findById(run.id)
      .where({ status: 'running' })
      .patch({ status, endedAt: new Date() })
    if (ended === 0) return false
    await keepEvents(
      events.map((event) => ({ runId: run.id, tenantId, event })),
      trx,
    )
    await MessageRow.of(tenantId, trx).insert({
      ...{ id: run.messageId, conversationId: run.conversationId, parentId: run.parentId, role: 'assistant' },
      ...message,
    })
    await holdResults({ id: run.messageId, tenantId }, message.toolCalls, holds, trx)
    await ConversationRow.of(tenantId, trx)
      .findById(run.conversationId)
      .where({ active_run_id: run.id })
      .patch({
        ...{ activeRunId: null, leafId: run.messageId, updatedAt: new Date() },
        ...{ messageCount: trx.raw('message_count + 1') as never, lastMessage: lastOf('assistant', message.content) },
      })
    await noteRun(run, trx)
    return true
  })
}

/** All events of a run but pieces of text, into the timeline. */
async function noteRun(run: RunRow, trx: Knex.Transaction): Promise<void> {
  const rows = await RunEventRow.of(run.tenantId, trx)
    .where({ run_id: run.id })
    .whereNotIn('kind', ['message.delta', 'reasoning.delta'])
    .orderBy('seq')
  const entries = rows.flatMap(({ seq, kind, data, at }) => {
    return entryOf({ seq, kind: kind as RunEvent['kind'], data, at }, run) ?? []
  })
  await appendToTimeline({ id: run.conversationId, tenantId: run.tenantId }, entries, trx)
}

/** What a message is when it is shown as a whole. */
export function wholeMessage({ messageId }: Pick<RunRow, 'messageId'>, message: RunEnd['message']) {
  return {
    ...{ id: messageId, role: 'assistant' as const, content: message.content, finish_reason: message.finishReason },
    ...{ citations: message.citations, tool_calls: message.toolCalls },
  }
}
