import type { KnowledgeBaseRow } from '../tables.ts'

/** A knowledge base as administrators see it. */
export function presentBase(row: KnowledgeBaseRow, hasVectors: boolean) {
  return {
    ...{ id: row.id, tenant_id: row.tenantId, name: row.name, description: row.description, language: row.language },
    access: {
      ...{ mode: row.accessMode, roles: row.accessRoles, org_ids: row.accessOrgs, user_ids: row.accessUsers },
    },
    retrieval: presentRetrieval(row, hasVectors),
    embedding_model: row.embeddingModel,
    embedding: {
      ...{ state: embeddingState(row, hasVectors), model: row.vectorModel, dimension: row.vectorDimension },
      error: row.vectorError,
    },
    ...{ document_count: row.documentCount, chunk_count: row.chunkCount, version: row.revision },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** What `presentBase` makes. */
export type PresentedBase = ReturnType<typeof presentBase>

/** A knowledge base as the users of an agent see it. */
export function presentForUser(row: KnowledgeBaseRow, hasVectors: boolean) {
  return {
    ...{ id: row.id, name: row.name, description: row.description, document_count: row.documentCount },
    ...{ chunk_count: row.chunkCount, language: row.language, updated_at: row.updatedAt.toISOString() },
    ...{ retrieval: presentRetrieval(row, hasVectors), citable: true },
  }
}

function presentRetrieval({ topK, minScore, embeddingModel, vectorModel }: KnowledgeBaseRow, hasVectors: boolean) {
  const isHybrid = hasVectors && embeddingModel !== null && vectorModel !== null
  const mode = isHybrid ? ('hybrid' as const) : ('lexical' as const)
  return { mode, top_k: topK, min_score: Math.round(minScore * 1000) / 1000 }
}

function embeddingState(
  { embeddingModel, vectorModel, nextModel, vectorError }: KnowledgeBaseRow,
  hasVectors: boolean,
) {
  if (embeddingModel === null) return 'off' as const
  if (!hasVectors) return 'unavailable' as const
  if (vectorError !== null) return 'failed' as const
  return vectorModel === null || nextModel !== null ? ('building' as const) : ('ready' as const)
}
