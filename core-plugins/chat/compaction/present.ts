import { showMoney } from '../runs/money.ts'
import type { SnapshotRow } from './tables.ts'

/** Where the compaction of a conversation is. */
export type CompactionState = 'none' | 'building' | 'fresh' | 'stale' | 'failed'

/** A snapshot as its user sees it. */
export function presentSnapshot(row: SnapshotRow) {
  return {
    ...{ id: row.id, version: row.version },
    covers: { from: row.fromId, to: row.toId, messages: row.messages },
    kept_tail: { from: row.tailFromId, messages: row.tailMessages },
    ...{ summary: row.summary, text: row.text },
    tokens: { before: row.tokensBefore, after: row.tokensAfter, tail: row.tokensTail },
    ...{ fidelity: row.fidelity, method: row.method, model: row.model, cost: showMoney(BigInt(row.costNano)) },
    ...{ built_by: row.builtBy, created_at: row.createdAt.toISOString(), source_hash: row.sourceHash },
  }
}

/** An earlier version. */
export function presentVersion({ version, createdAt, tokensAfter }: SnapshotRow) {
  return { version, created_at: createdAt.toISOString(), tokens_after: tokensAfter }
}
