import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Access, Audit } from '../../access/contract.ts'
import { findBase } from '../bases/base-store.ts'
import { readableBy, whoReads, type BaseReader } from '../bases/readable-by.ts'
import type { KnowledgeChunk, KnowledgeCitation, KnowledgeFound, KnowledgeRetrieval } from '../contract.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { best } from './best.ts'
import { citationsOf } from './citations.ts'
import { searchLexically } from './lexical.ts'
import type { SimilarSearch, SimilarAsker } from './similar-search.ts'

type Question = Parameters<KnowledgeRetrieval['search']>[1]

/** Of the knowledge bases that a user may read, at most so many are looked in at once. */
const mostBases = 100

/** What looking stands on. */
interface RetrievalParts {
  readonly db: Knex
  readonly access: Pick<Access, 'orgLineOf'>
  readonly audit: Pick<Audit, 'record'>
  readonly similar: SimilarSearch
}

/** Finds chunks of documents. */
export class Retrieval implements KnowledgeRetrieval {
  readonly #parts: RetrievalParts

  constructor(parts: RetrievalParts) {
    this.#parts = parts
  }

  async search(user: Principal, question: Question): Promise<KnowledgeFound> {
    const { db, access } = this.#parts
    const { knowledgeBaseIds, text, topK, minScore, agentId, keyId, traceId = randomUUID(), signal } = question
    const reader = await whoReads(user, access)
    const query = readableBy(KnowledgeBaseRow.of(user.tenantId, db), reader)
    if (knowledgeBaseIds) void query.whereIn('id', [...knowledgeBaseIds])
    const bases = await query.orderBy('id').limit(mostBases)
    const by = { userId: user.userId, agentId, keyId, traceId, signal }
    return this.#find(bases, { text, topK, minScore }, reader, by)
  }

  citations(answer: string, chunks: readonly KnowledgeChunk[]): readonly KnowledgeCitation[] {
    return citationsOf(answer, chunks)
  }

  /** For an administrator, in one knowledge base; that staff of the platform looked stands in the tenant's log. Throws 404/4040. */
  async tryOut(
    reader: Principal,
    baseId: string,
    { query, top_k, min_score }: { readonly query: string; readonly top_k?: number; readonly min_score?: number },
    { traceId, signal }: { readonly traceId: string; readonly signal: AbortSignal },
  ) {
    const base = await findBase(reader, baseId, this.#parts.db)
    const userId = reader.scope === 'tenant' ? reader.userId : undefined
    const wish = { text: query, topK: top_k, minScore: min_score }
    const { mode, fallback, chunks } = await this.#find([base], wish, undefined, { userId, traceId, signal })
    if (reader.scope === 'platform' && chunks.length > 0) await this.#tellLooking(base, reader, traceId)
    return { retrieval: { mode, fallback }, items: chunks.map(presentFound) }
  }

  async #tellLooking({ id, tenantId }: KnowledgeBaseRow, actor: Principal, traceId: string): Promise<void> {
    const { db, audit } = this.#parts
    const entry = { actor, traceId, action: 'knowledge_base.searched', target: `knowledge_base:${id}` }
    await db.transaction(async (trx) => {
      await audit.record({ ...entry, tenantId: 0, after: { tenant_ids: [tenantId] } }, trx)
      await audit.record({ ...entry, tenantId }, trx)
    })
  }

  async #find(
    bases: readonly KnowledgeBaseRow[],
    { text, topK, minScore }: Pick<Question, 'text' | 'topK' | 'minScore'>,
    reader: BaseReader | undefined,
    by: SimilarAsker,
  ): Promise<KnowledgeFound> {
    const { db, similar } = this.#parts
    const [lexical, { mode, fallback, chunks }] = await Promise.all([
      searchLexically(db, bases, text, reader),
      similar.search(bases, text, reader, by),
    ])
    return { mode, fallback, chunks: best({ lexical, similar: chunks }, bases, topK, minScore) }
  }
}

function presentFound({ chunkId, documentId, knowledgeBaseId, ...rest }: KnowledgeChunk) {
  return { chunk_id: chunkId, document_id: documentId, knowledge_base_id: knowledgeBaseId, ...rest }
}
