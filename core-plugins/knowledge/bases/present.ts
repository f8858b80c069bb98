import type { KnowledgeBaseRow } from '../tables.ts'

/** A knowledge base as administrators see it. */
export function presentBase(row: KnowledgeBaseRow) {
  return {
    ...{ id: row.id, tenant_id: row.tenantId, name: row.name, description: row.description, language: row.language },
    access: {
      ...{ mode: row.accessMode, roles: row.accessRoles, org_ids: row.accessOrgs, user_ids: row.accessUsers },
    },
    retrieval: presentRetrieval(row),
    ...{ document_count: row.documentCount, chunk_count: row.chunkCount, version: row.revision },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** What `presentBase` makes. */
export type PresentedBase = ReturnType<typeof presentBase>

/** A knowledge base as the users of an agent see it. */
export function presentForUser(row: KnowledgeBaseRow) {
  return {
    ...{ id: row.id, name: row.name, description: row.description, document_count: row.documentCount },
    ...{ chunk_count: row.chunkCount, language: row.language, updated_at: row.updatedAt.toISOString() },
    ...{ retrieval: presentRetrieval(row), citable: true },
  }
}

function presentRetrieval({ topK, minScore }: KnowledgeBaseRow) {
  return { mode: 'lexical' as const, top_k: topK, min_score: Math.round(minScore * 1000) / 1000 }
}
