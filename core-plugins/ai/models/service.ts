import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import {
  createSortableId,
  ownerOf,
  presentPage,
  whatIsGiven,
  type Page,
  type Principal,
  type TenantResolver,
} from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { rowsFor, type Owned } from '../area.ts'
import { ModelInUseError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { ModelNameRow, ModelRow, ModelVersionRow } from '../tables.ts'
import { checkProvider, findModel, versionsOf } from './model-store.ts'
import type { ModelUsers } from './model-users.ts'
import { nameModel } from './names.ts'
import { presentModel, type PresentedModel } from './present.ts'
import { firstVersion, headColumns, type HeadChange, type NewModel } from './wishes.ts'

/** What models need of the rest. */
export interface ModelParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly users: Pick<ModelUsers, 'of'>
  /** Three letters, ISO 4217. */
  readonly currency: () => Promise<string>
}

/** Which models a list shows; what is left out does not matter. */
interface ModelFilter {
  readonly kind?: ModelRow['kind']
  readonly status?: ModelRow['status']
  readonly provider_id?: string
  readonly tag?: string
  readonly tenant_id?: number
  readonly scope?: Owned
}

/** Who writes, and which version they have seen. */
export interface ModelWriter extends Writer {
  requireMatch(etag: string): void
}

/** Models, as administrators have them. */
export class ModelService {
  readonly #parts: ModelParts

  constructor(parts: ModelParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, filter: ModelFilter) {
    const { db, currency } = this.#parts
    const { kind, status, tenant_id, provider_id: providerId, tag } = filter
    const query = rowsFor(ModelRow, reader, db, filter.scope)
      .whereNull('deleted_at')
      .where(whatIsGiven<string | number>({ kind, status, tenant_id }))
    if (tag !== undefined) void query.whereRaw('tags @> ?::jsonb', [JSON.stringify([tag])])
    if (providerId !== undefined) {
      void query.whereIn('id', db('ai_model_versions').where({ provider_id: providerId }).select('model_id'))
    }
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((or) => void or.whereILike('name', pattern).orWhereILike('display_name', pattern))
    }
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    const versions = await versionsOf(
      results.map(({ id }) => id),
      db,
    )
    const money = await currency()
    return presentPage(
      page,
      total,
      results.map((row) => presentModel(row, versions.get(row.id) ?? [], money)),
    )
  }

  /** Throws 404/4048, also for one of another tenant. */
  async get(reader: Principal, id: string): Promise<PresentedModel> {
    return this.#read(await findModel(reader, id, this.#parts.db), this.#parts.db)
  }

  async create(wish: NewModel, writer: Writer): Promise<PresentedModel> {
    const { db, tenants } = this.#parts
    const tenantId = await ownerOf(writer.principal, wish.tenant_id, { tenants, refuse: refuseFaults })
    const columns = { aliases: [], status: 'active', tags: [], capabilities: {}, displayName: wish.name } as const
    return db.transaction(async (trx) => {
      await checkProvider(writer.principal, tenantId, wish.provider_id, trx)
      const row = await ModelRow.of(tenantId, trx)
        .insert({ ...columns, ...headColumns(wish), id: createSortableId('mdl'), kind: wish.kind, lastVersion: 1 })
        .returning('*')
      refuseFaults(await nameModel(row, trx))
      const created = { modelId: row.id, version: 1, note: '', createdBy: writer.principal.userId }
      await ModelVersionRow.of(tenantId, trx).insert({ ...firstVersion(wish), ...created, activatesAt: new Date() })
      const after = await this.#read(row, trx)
      await this.#record('created', writer, row.id, { after }, trx)
      return after
    })
  }

  async update(id: string, wish: HeadChange, writer: ModelWriter): Promise<PresentedModel> {
    return this.#parts.db.transaction(async (trx) => {
      const row = await findModel(writer.principal, id, trx, true)
      writer.requireMatch(String(row.revision))
      const before = await this.#read(row, trx)
      const columns = headColumns(wish)
      if (isDeepStrictEqual({ ...row, ...columns }, { ...row })) return before
      const changed = await ModelRow.of(row.tenantId, trx).patchAndFetchById(id, {
        ...columns,
        ...{ revision: row.revision + 1, updatedAt: new Date() },
      })
      refuseFaults(await nameModel(changed, trx))
      const after = await this.#read(changed, trx)
      await this.#record('updated', writer, id, { before, after }, trx)
      return after
    })
  }

  /** Keeps the row and its versions, for usage that was; its names are free. */
  async delete(id: string, writer: Writer, isForced: boolean): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const row = await findModel(writer.principal, id, trx, true)
      const by = isForced ? undefined : await this.#parts.users.of(row, trx)
      if (by) throw new ModelInUseError({ details: { by } })
      const before = await this.#read(row, trx)
      await ModelNameRow.of(row.tenantId, trx).delete().where({ model_id: id })
      const end = { deletedAt: new Date(), status: 'disabled' as const, revision: row.revision + 1 }
      await ModelRow.of(row.tenantId, trx).findById(id).patch(end)
      await this.#record('deleted', writer, id, { before }, trx)
    })
  }

  async #read(row: ModelRow, db: Knex): Promise<PresentedModel> {
    const versions = (await versionsOf([row.id], db)).get(row.id) ?? []
    return presentModel(row, versions, await this.#parts.currency(), true)
  }

  async #record(
    what: string,
    { principal, state }: Writer,
    id: string,
    change: { before?: PresentedModel; after?: PresentedModel },
    trx: Knex.Transaction,
  ): Promise<void> {
    const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: `ai_model:${id}` }
    await this.#parts.audit.record({ ...about, ...change, action: `ai_model.${what}` }, trx)
  }
}
