import type { Knex } from 'knex'
import {
  createSortableId,
  lockUntilCommit,
  presentPage,
  whatIsGiven,
  type Page,
  type Principal,
  type TenantResolver,
} from '#kernel'
import type { Access, Audit, Writer } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { enqueueEmbedding } from '../vectors/enqueue-embedding.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { documentHolder } from '../document-holder.ts'
import { TooManyBasesError } from '../errors.ts'
import { mostKnowledgeBases } from '../limits.ts'
import { refuseFaults } from '../faults.ts'
import { recordKnowledge } from '../record.ts'
import { KnowledgeBaseRow, KnowledgeDocumentRow } from '../tables.ts'
import { basesFor, findBase, ownerOf } from './base-store.ts'
import { presentBase, type PresentedBase } from './present.ts'
import { modelFaults, newestEmbedding } from './embedding-models.ts'
import { accessFaults, baseColumns, type BaseWish, type NewBase } from './wishes.ts'

/** What knowledge bases need of the rest. */
interface BaseParts {
  readonly db: Knex
  readonly access: Pick<Access, 'listRoles' | 'knownOrgs'>
  readonly audit: Audit
  readonly files: Pick<AttachmentFiles, 'reference'>
  readonly users: Pick<UserDirectory, 'list'>
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly gateway: Pick<AiGateway, 'models'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly hasVectors: boolean
}

/** Who writes, and which version they have seen. */
interface BaseWriter extends Writer {
  requireMatch(etag: string): void
}

/** Knowledge bases, as administrators have them. */
export class BaseService {
  readonly #parts: BaseParts

  constructor(parts: BaseParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, filter: { readonly access_mode?: string; readonly tenant_id?: number }) {
    const { access_mode, tenant_id } = filter
    const query = basesFor(reader, this.#parts.db).where(whatIsGiven<string | number>({ access_mode, tenant_id }))
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(
      page,
      total,
      results.map((row) => this.#present(row)),
    )
  }

  /** Throws 404/4040, also for one of another tenant. */
  async get(reader: Principal, id: string): Promise<PresentedBase> {
    return this.#present(await findBase(reader, id, this.#parts.db))
  }

  /** Throws 400/4002 where the tenant has as many as it may, and 422/4229. */
  async create(wish: NewBase, writer: Writer): Promise<PresentedBase> {
    const { db, access, audit, users, tenants, gateway } = this.#parts
    const tenantId = await ownerOf(writer.principal, wish.tenant_id, tenants)
    refuseFaults([
      ...(await accessFaults(wish.access ?? {}, tenantId, access, users)),
      ...modelFaults(wish, gateway.models(tenantId)),
    ])
    return db.transaction(async (trx) => {
      await lockUntilCommit(trx, `knowledge.bases.${String(tenantId)}`)
      const count = await KnowledgeBaseRow.of(tenantId, trx).resultSize()
      if (count >= mostKnowledgeBases) throw new TooManyBasesError({ most: mostKnowledgeBases })
      const usual = {
        description: '',
        language: null,
        topK: 6,
        minScore: 0.2,
        embeddingModel: newestEmbedding(gateway.models(tenantId)),
        ...baseColumns({ access: { mode: 'all' } }),
      }
      const row = await KnowledgeBaseRow.of(tenantId, trx)
        .insert({ id: createSortableId('kb'), createdBy: writer.principal.userId, ...usual, ...baseColumns(wish) })
        .returning('*')
      const after = this.#present(row)
      await recordKnowledge(audit, 'knowledge_base.created', writer, row.id, { after }, trx)
      return after
    })
  }

  /** What is absent stays. Throws 404/4040, 412/4120 and 422/4229. */
  async update(id: string, wish: BaseWish, writer: BaseWriter): Promise<PresentedBase> {
    const { db, access, audit, users, gateway, jobs, hasVectors } = this.#parts
    const { tenantId } = await findBase(writer.principal, id, db)
    refuseFaults([
      ...(await accessFaults(wish.access ?? {}, tenantId, access, users)),
      ...modelFaults(wish, gateway.models(tenantId)),
    ])
    return db.transaction(async (trx) => {
      const row = await findBase(writer.principal, id, trx, true)
      writer.requireMatch(String(row.revision))
      const changed = await KnowledgeBaseRow.of(row.tenantId, trx).patchAndFetchById(id, {
        ...{ ...baseColumns(wish), revision: row.revision + 1, updatedAt: new Date() },
      })
      if (hasVectors && changed.embeddingModel !== row.embeddingModel) await enqueueEmbedding(jobs, trx, changed)
      const [before, after] = [this.#present(row), this.#present(changed)]
      await recordKnowledge(audit, 'knowledge_base.updated', writer, id, { before, after }, trx)
      return after
    })
  }

  /** With its documents; files that were attached stay their owners'. */
  async delete(id: string, writer: Writer): Promise<void> {
    const { db, audit, files } = this.#parts
    await db.transaction(async (trx) => {
      const row = await findBase(writer.principal, id, trx, true)
      const attached = await KnowledgeDocumentRow.of(row.tenantId, trx)
        .where({ base_id: id, source: 'attachment' })
        .select('id')
      for (const document of attached) await files.reference(row.tenantId, documentHolder(document.id), [], trx)
      await KnowledgeBaseRow.of(row.tenantId, trx).deleteById(id)
      await recordKnowledge(audit, 'knowledge_base.deleted', writer, id, { before: this.#present(row) }, trx)
    })
  }

  #present(row: KnowledgeBaseRow): PresentedBase {
    return presentBase(row, this.#parts.hasVectors)
  }
}
