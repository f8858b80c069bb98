import type { Knex } from 'knex'
import { AppError, type Logger } from '#kernel'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import { ConversationRow, type RunRow } from '../tables.ts'
import type { Compaction } from './service.ts'

/** The kind of jobs that shorten conversations while nobody waits for it. */
const compactKind = 'chat.compact'

interface Named {
  readonly conversation: string
  /** Of the agent, by name. */
  readonly model: string
  readonly budget: number
  readonly traceId: string
}

/** So long after an answer the user may be writing the next question. */
const laterMs = 1_000
const againMs = 5_000

/** Shortens a conversation before its next question. */
export function createCompactJob(db: Knex, compaction: Compaction): JobKind<Named> {
  return {
    ...{ kind: compactKind, attempts: 3, concurrency: 2, keepSeconds: 0, keepDeadSeconds: 86_400 },
    async run({ tenantId, payload: { conversation: id, model, budget, traceId }, signal }) {
      const conversation = await ConversationRow.of(tenantId, db).findById(id).whereNull('deleted_at')
      if (!conversation || conversation.leafId === null) return
      if (conversation.activeRunId !== null) return { againIn: againMs }
      try {
        const { leafId } = conversation
        const how = { model, budget, traceId, signal, method: 'auto', builtBy: 'auto' } as const
        await compaction.compact({ conversation, leafId, ...how })
      } catch (error) {
        // Somebody else is at it, or there is nothing to be done.
        if (!(error instanceof AppError) || error.status >= 500) throw error
      }
    },
  }
}

/** Has the conversation of a run shortened a moment later, once; what keeps it from being queued is made up for after the next answer. */
export function enqueueCompaction(
  { db, jobs, log }: { readonly db: Knex; readonly jobs: Pick<Jobs, 'enqueue'>; readonly log: Logger },
  { id, tenantId, conversationId, traceId }: RunRow,
  how: Pick<Named, 'model' | 'budget'>,
): void {
  const payload: Named = { conversation: conversationId, traceId, ...how }
  const options = { tenant: tenantId, dedupe: conversationId, delay: laterMs }
  db.transaction((trx) => jobs.enqueue(trx, compactKind, payload, options)).catch((error: unknown) => {
    log.warn({ err: error, run_id: id }, 'the shortening of a conversation was not queued')
  })
}
