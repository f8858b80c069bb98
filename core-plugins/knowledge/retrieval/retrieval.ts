import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import { findBase } from '../bases/base-store.ts'
import type { KnowledgeChunk, KnowledgeCitation, KnowledgeFound, KnowledgeRetrieval } from '../contract.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { citationsOf } from './citations.ts'
import { searchLexically, type FoundChunk } from './lexical.ts'
import { readableBy, whoReads } from '../bases/readable-by.ts'

type Question = Parameters<KnowledgeRetrieval['search']>[1]

/** Of the knowledge bases that a user may read, at most so many are looked in at once. */
const mostBases = 100

/** Finds chunks of documents. */
export class Retrieval implements KnowledgeRetrieval {
  readonly #db: Knex
  readonly #access: Pick<Access, 'orgLineOf'>

  constructor(db: Knex, access: Pick<Access, 'orgLineOf'>) {
    this.#db = db
    this.#access = access
  }

  async search(user: Principal, { text, knowledgeBaseIds, topK, minScore }: Question): Promise<KnowledgeFound> {
    const reader = await whoReads(user, this.#access)
    const query = readableBy(KnowledgeBaseRow.of(user.tenantId, this.#db), reader)
    if (knowledgeBaseIds) void query.whereIn('id', [...knowledgeBaseIds])
    const bases = await query.orderBy('id').limit(mostBases)
    const found = await searchLexically(this.#db, bases, text, reader)
    return { mode: 'lexical', chunks: best(found, bases, topK, minScore) }
  }

  citations(answer: string, chunks: readonly KnowledgeChunk[]): readonly KnowledgeCitation[] {
    return citationsOf(answer, chunks)
  }

  /** For an administrator, in one knowledge base. Throws 404/4040. */
  async tryOut(
    reader: Principal,
    baseId: string,
    { query, top_k, min_score }: { readonly query: string; readonly top_k?: number; readonly min_score?: number },
  ) {
    const base = await findBase(reader, baseId, this.#db)
    const found = await searchLexically(this.#db, [base], query, undefined)
    return { retrieval: { mode: 'lexical' as const }, items: best(found, [base], top_k, min_score).map(presentFound) }
  }
}

function best(
  found: readonly FoundChunk[],
  bases: readonly KnowledgeBaseRow[],
  topK = Math.max(0, ...bases.map((base) => base.topK)),
  minScore?: number,
): readonly KnowledgeChunk[] {
  const floors = new Map(bases.map((base) => [base.id, minScore ?? base.minScore]))
  return found
    .filter(({ baseId, score }) => score > 0 && score >= (floors.get(baseId) ?? 1))
    .slice(0, topK)
    .map(({ id, documentId, baseId, title, headings, page, text, score }) => {
      const ids = { chunkId: id, documentId, knowledgeBaseId: baseId }
      return { ...ids, title, headings, page, text, score: Math.round(score * 1000) / 1000 }
    })
}

function presentFound({ chunkId, documentId, knowledgeBaseId, ...rest }: KnowledgeChunk) {
  return { chunk_id: chunkId, document_id: documentId, knowledge_base_id: knowledgeBaseId, ...rest }
}
