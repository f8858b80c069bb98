import type { Knex } from 'knex'
import { createSortableId, presentPage, whatIsGiven, type Page, type Principal } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { findBase } from '../bases/base-store.ts'
import { documentHolder } from '../document-holder.ts'
import { DocumentBusyError, DocumentNotFoundError, TooManyDocumentsError } from '../errors.ts'
import { enqueueIndexing } from '../indexing/enqueue.ts'
import { recount, subtractTerms } from '../indexing/term-counts.ts'
import { mostDocuments } from '../limits.ts'
import { recordKnowledge } from '../record.ts'
import { KnowledgeDocumentRow } from '../tables.ts'
import { documentColumns, type NewDocument } from './new-document.ts'
import { presentDocument, type PresentedDocument } from './present.ts'

/** What documents need of the rest. */
interface DocumentParts {
  readonly db: Knex
  readonly audit: Audit
  readonly files: Pick<AttachmentFiles, 'find' | 'reference'>
  readonly jobs: Pick<Jobs, 'enqueue'>
}

/** Documents of knowledge bases. */
export class DocumentService {
  readonly #parts: DocumentParts

  constructor(parts: DocumentParts) {
    this.#parts = parts
  }

  async list(reader: Principal, baseId: string, page: Page, filter: { readonly status?: string }) {
    const { db } = this.#parts
    const { tenantId } = await findBase(reader, baseId, db)
    const query = KnowledgeDocumentRow.of(tenantId, db)
      .where({ base_id: baseId, ...whatIsGiven({ status: filter.status }) })
      .select(
        db.raw(`id, tenant_id, base_id, title, source, attachment_id, url, mime_type, size, status, progress,
        chunk_count, error, created_at, updated_at, indexed_at`),
      )
    if (page.pattern !== undefined) void query.whereILike('title', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentDocument))
  }

  /** Throws 404/4040. */
  async get(reader: Principal, baseId: string, id: string): Promise<PresentedDocument> {
    const { db } = this.#parts
    const { tenantId } = await findBase(reader, baseId, db)
    return presentDocument(await findDocument(db, tenantId, baseId, id))
  }

  /** Throws 400/4002 where the knowledge base is full, 404/4040 and 422/4229. */
  async create(baseId: string, wish: NewDocument, writer: Writer): Promise<PresentedDocument> {
    const { db, audit, files, jobs } = this.#parts
    const { tenantId } = await findBase(writer.principal, baseId, db)
    const columns = await documentColumns(wish, tenantId, writer.principal, files)
    return db.transaction(async (trx) => {
      const base = await findBase(writer.principal, baseId, trx, true)
      if (base.documentCount >= mostDocuments) throw new TooManyDocumentsError({ most: mostDocuments })
      const id = createSortableId('doc')
      const row = await KnowledgeDocumentRow.of(tenantId, trx)
        .insert({ id, baseId, status: 'queued', createdBy: writer.principal.userId, ...columns })
        .returning('*')
      if (row.attachmentId !== null) await files.reference(tenantId, documentHolder(id), [row.attachmentId], trx)
      await recount(trx, base)
      await enqueueIndexing(jobs, trx, row)
      const after = presentDocument(row)
      await recordKnowledge(audit, 'knowledge_document.created', writer, id, { after }, trx)
      return after
    })
  }

  /** Throws 404/4040. */
  async delete(baseId: string, id: string, writer: Writer): Promise<void> {
    const { db, audit, files } = this.#parts
    await db.transaction(async (trx) => {
      const base = await findBase(writer.principal, baseId, trx, true)
      const row = await findDocument(trx, base.tenantId, baseId, id)
      await subtractTerms(trx, base, id)
      await KnowledgeDocumentRow.of(base.tenantId, trx).deleteById(id)
      await recount(trx, base)
      if (row.source === 'attachment') await files.reference(base.tenantId, documentHolder(id), [], trx)
      await recordKnowledge(audit, 'knowledge_document.deleted', writer, id, { before: presentDocument(row) }, trx)
    })
  }

  /** Throws 404/4040, and 409/4094 while it waits or is being indexed. */
  async retry(baseId: string, id: string, writer: Writer): Promise<PresentedDocument> {
    const { db, audit, jobs } = this.#parts
    return db.transaction(async (trx) => {
      const base = await findBase(writer.principal, baseId, trx, true)
      const row = await findDocument(trx, base.tenantId, baseId, id)
      if (row.status === 'queued' || row.status === 'indexing') throw new DocumentBusyError()
      const begun = { status: 'queued', progress: 0, error: null, updatedAt: new Date() } as const
      const changed = await KnowledgeDocumentRow.of(base.tenantId, trx).patchAndFetchById(id, begun)
      await enqueueIndexing(jobs, trx, changed)
      const [before, after] = [presentDocument(row), presentDocument(changed)]
      await recordKnowledge(audit, 'knowledge_document.indexed_anew', writer, id, { before, after }, trx)
      return after
    })
  }
}

async function findDocument(db: Knex, tenantId: number, baseId: string, id: string): Promise<KnowledgeDocumentRow> {
  const row = await KnowledgeDocumentRow.of(tenantId, db).findOne({ id, base_id: baseId })
  if (!row) throw new DocumentNotFoundError()
  return row
}
