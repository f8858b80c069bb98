import type { MemoryRow } from '../tables.ts'

/** A memory as its user sees it. */
export function presentMemory(row: MemoryRow) {
  return {
    ...{ id: row.id, text: row.text, kind: row.kind, confidence: row.confidence, origin: row.origin },
    ...{ agent_id: row.agentId, conversation_id: row.conversationId, source: row.sourceMsgs },
    ...{ created_at: row.createdAt.toISOString(), updated_at: row.updatedAt.toISOString() },
    expires_at: row.expiresAt?.toISOString() ?? null,
    ...{ used_count: row.usedCount, last_used_at: row.usedAt?.toISOString() ?? null },
  }
}
