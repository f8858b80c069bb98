import type { Knex } from 'knex'
import type { ChatConversation, TimelineEntry } from '../contract.ts'
import { ConversationRow } from '../tables.ts'
import { TimelineRow } from './timeline-row.ts'

const mostTitle = 200

/** Adds to the timeline of a conversation that is still there; within a transaction, the conversation is locked until its end. */
export async function appendToTimeline(
  { id, tenantId }: Pick<ChatConversation, 'id' | 'tenantId'>,
  entries: readonly TimelineEntry[],
  db: Knex,
): Promise<void> {
  if (entries.length === 0) return
  const write = async (trx: Knex): Promise<void> => {
    const [row] = await ConversationRow.of(tenantId, trx)
      .where({ id })
      .patch({ timelineSeq: trx.raw('timeline_seq + ?', [entries.length]) as never })
      .returning('*')
    if (!row) return
    const first = row.timelineSeq - entries.length + 1
    await TimelineRow.of(tenantId, trx).insert(entries.map((entry, at) => rowOf(entry, id, first + at)))
  }
  await (db.isTransaction === true ? write(db) : db.transaction(write))
}

function rowOf(entry: TimelineEntry, conversationId: string, seq: number): Partial<TimelineRow> {
  const { kind, actor, title, ref, data = {}, at = new Date() } = entry
  return {
    ...{ conversationId, seq, kind, actorType: actor.type, actorId: actor.id ?? null, data, at },
    ...{ title: title.slice(0, mostTitle).toWellFormed(), refType: ref?.type ?? null, refId: ref?.id ?? null },
    ...{ durationMs: entry.durationMs ?? null, tokens: entry.tokens ?? null, cost: entry.cost ?? null },
  }
}
