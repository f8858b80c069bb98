import type { Knex } from 'knex'
import { MemoryStateRow } from '../tables.ts'
import type { Owner } from '../notes/owner.ts'

/** A conversation and whose it is. */
export interface Learnt extends Owner {
  readonly conversationId: string
}

/** How far a conversation has been learnt from; undefined before it was. */
export function stateOf({ tenantId, conversationId }: Learnt, db: Knex): Promise<MemoryStateRow | undefined> {
  return MemoryStateRow.of(tenantId, db).findById(conversationId).execute()
}

/** Keeps that. */
export async function keepState(
  { tenantId, userId, conversationId }: Learnt,
  change: Partial<Pick<MemoryStateRow, 'watermark' | 'failures' | 'extractedAt' | 'added' | 'superseded'>>,
  trx: Knex.Transaction,
): Promise<void> {
  await MemoryStateRow.of(tenantId, trx)
    .insert({ conversationId, userId, ...change })
    .onConflict('conversation_id')
    .merge(change)
}
