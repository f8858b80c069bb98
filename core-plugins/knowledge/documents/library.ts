import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import { readableBy, whoReads, type BaseReader } from '../bases/readable-by.ts'
import type { KnowledgeLibrary, LibraryDocument } from '../contract.ts'
import { KnowledgeBaseRow, KnowledgeChunkRow, KnowledgeDocumentRow } from '../tables.ts'

/** Characters of a document that are read. */
const longestText = 400_000
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
    const chunks = await KnowledgeChunkRow.of(tenantId, this.#db)
      .where({ document_id: id })
      .orderBy('position')
      .select('text')
    let text = ''
    for (const chunk of chunks) {
      if (text.length >= longestText) break
      text = joined(text, chunk.text)
    }
    return { ...present(row), text: text.slice(0, longestText).toWellFormed() }
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

/** Two chunks as one text, without what the second says again of the first. */
function joined(text: string, next: string): string {
  if (text === '') return next
  const most = Math.min(longestOverlap, text.length, next.length)
  for (let size = most; size >= shortestOverlap; size--)
    if (text.endsWith(next.slice(0, size))) return text + next.slice(size)
  return `${text}\n${next}`
}
