import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import { readableBy, whoReads, type BaseReader } from '../bases/readable-by.ts'
import type { KnowledgeLibrary, LibraryDocument } from '../contract.ts'
import { KnowledgeBaseRow, KnowledgeChunkRow, KnowledgeDocumentRow } from '../tables.ts'

/** Characters of a document that are read. */
const longestText = 400_000
/** Chunks in one read. */
const batch = 400
/** What a chunk says again of the one before it is looked for in so many characters. */
const longestOverlap = 600
const shortestOverlap = 8

/** Whole documents, for those who may read their knowledge bases. */
export class Library implements KnowledgeLibrary {
  readonly #db: Knex
  readonly #access: Pick<Access, 'orgLineOf'>

  constructor(db: Knex, access: Pick<Access, 'orgLineOf'>) {
    this.#db = db
    this.#access = access
  }

  async isEmpty(user: Principal): Promise<boolean> {
    return (await this.#bases(user, await whoReads(user, this.#access)).limit(1)).length === 0
  }

  async list(user: Principal, after: string, limit: number): Promise<readonly LibraryDocument[]> {
    const readable = this.#bases(user, await whoReads(user, this.#access)).select('ai_knowledge_bases.id')
    const rows = await this.#documents(user.tenantId)
      .whereIn('base_id', readable)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
    return rows.map(present)
  }

  async read(user: Principal, id: string) {
    const { tenantId } = user
    const readable = this.#bases(user, await whoReads(user, this.#access)).select('ai_knowledge_bases.id')
    const row = await this.#documents(tenantId).findById(id).whereIn('base_id', readable)
    if (!row) return undefined
    const text = new JoinedText()
    for (let from = 0; text.length < longestText; from += batch) {
      const chunks = await KnowledgeChunkRow.of(tenantId, this.#db)
        .where({ document_id: id })
        .whereBetween('position', [from, from + batch - 1])
        .orderBy('position')
        .select('text', 'headings')
      for (const chunk of chunks) text.add(chunk)
      if (chunks.length < batch) break
    }
    return { ...present(row), text: text.toString().slice(0, longestText).toWellFormed() }
  }

  #bases({ tenantId }: Principal, reader: BaseReader) {
    return readableBy(KnowledgeBaseRow.of(tenantId, this.#db), reader)
  }

  #documents(tenantId: number) {
    return KnowledgeDocumentRow.of(tenantId, this.#db)
      .where('chunk_count', '>', 0)
      .select('id', 'base_id', 'title', 'updated_at')
  }
}

function present({ id, baseId, title, updatedAt }: KnowledgeDocumentRow): LibraryDocument {
  return { id, knowledgeBaseId: baseId, title, updatedAt }
}

/** Chunks as one text, without what one says again of the one before it under the same headings. */
class JoinedText {
  readonly #pieces: string[] = []
  #under = ''
  #end = ''
  length = 0

  add({ text, headings }: Pick<KnowledgeChunkRow, 'text' | 'headings'>): void {
    const under = headings.join('\n')
    const size = under === this.#under ? overlapOf(this.#end, text) : 0
    const piece = size > 0 ? text.slice(size) : `${this.length > 0 ? '\n' : ''}${text}`
    this.#pieces.push(piece)
    this.length += piece.length
    this.#under = under
    // Of what was said before no more is looked at than this.
    this.#end = (this.#end + piece).slice(-longestOverlap)
  }

  toString(): string {
    return this.#pieces.join('')
  }
}

function overlapOf(end: string, next: string): number {
  for (let size = Math.min(longestOverlap, end.length, next.length); size >= shortestOverlap; size--)
    if (end.endsWith(next.slice(0, size))) return size
  return 0
}
