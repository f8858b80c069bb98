import type { KnowledgeDocumentRow } from '../tables.ts'

/** A document as administrators see it. */
export function presentDocument(row: KnowledgeDocumentRow) {
  return {
    ...{ id: row.id, knowledge_base_id: row.baseId, title: row.title, status: row.status, progress: row.progress },
    source: { type: row.source, attachment_id: row.attachmentId, url: row.url },
    ...{ mime_type: row.mimeType, size: row.size === null ? null : Number(row.size), chunk_count: row.chunkCount },
    error: row.error,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    indexed_at: row.indexedAt?.toISOString() ?? null,
  }
}

/** What `presentDocument` makes. */
export type PresentedDocument = ReturnType<typeof presentDocument>
