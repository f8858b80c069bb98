import type { Knex } from 'knex'
import type { ChatConversation } from '../contract.ts'
import type { RunEvent } from '../run-events.ts'
import { TimelineRow } from './timeline-row.ts'

/** How full the model's window was, and with what, of the event `context.ready`. */
export function presentContext({ window, used, compaction, memories, retrieved }: RunEvent['data']) {
  return { window, used, compaction, memories, retrieved }
}

/** The same, when a conversation was answered last; null where it never was. */
export async function contextOf({ id, tenantId }: Pick<ChatConversation, 'id' | 'tenantId'>, db: Knex) {
  const row = await TimelineRow.of(tenantId, db)
    .where({ conversation_id: id })
    .whereIn('kind', ['retrieval', 'compaction'])
    // As `entryOf` writes it.
    .whereLike('data', '{"event":"context.ready"%')
    .orderBy('seq', 'desc')
    .first()
  return row ? presentContext(row.data) : null
}
