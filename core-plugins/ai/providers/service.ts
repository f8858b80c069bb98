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
import type { PluginProvider, PluginProviders } from '../../plugin-offers/contract.ts'
import { rowsFor, type Owned } from '../area.ts'
import { AiProviderNotFoundError, ProviderCodeTakenError, ProviderInUseError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { modelsUsing } from '../models/models-using.ts'
import { ProviderRow, ProviderSecretRow, type ProviderType } from '../tables.ts'
import { presentProvider, type PresentedProvider } from './present.ts'
import { providerFaults, secretFields, unboundSecrets, type ProviderFields } from './rules.ts'
import type { ProviderSecrets, SecretChange } from './secrets.ts'
import { columnsOf, newColumns, type NewProvider, type ProviderChange } from './wishes.ts'
import type { WhereTo } from './where-to.ts'

/** What providers need of the rest. */
interface ProviderParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly secrets: ProviderSecrets
  readonly whereTo: WhereTo
  readonly plugins: Pick<PluginProviders, 'list'>
}

/** Which providers a list shows; what is left out does not matter. */
interface ProviderFilter {
  readonly type?: ProviderType
  readonly status?: 'enabled' | 'disabled'
  readonly region?: string
  readonly tenant_id?: number
  readonly scope?: Owned
}

/** Who writes, and which version they have seen. */
interface Change extends Writer {
  requireMatch(etag: string): void
}

/** Vendors' end points, as administrators have them. */
export class ProviderService {
  readonly #parts: ProviderParts

  constructor(parts: ProviderParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, { type, status, region, tenant_id, scope }: ProviderFilter) {
    const { db, secrets } = this.#parts
    const query = rowsFor(ProviderRow, reader, db, scope)
      .whereNull('deleted_at')
      .where(whatIsGiven<string | number>({ type, status, region, tenant_id }))
    const { pattern } = page
    if (pattern !== undefined)
      void query.where((or) => void or.whereILike('code', pattern).orWhereILike('name', pattern))
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    const rows = results as unknown as readonly ProviderRow[]
    const sealed = await secrets.of(
      rows.map(({ id }) => id),
      db,
    )
    return presentPage(
      page,
      total,
      rows.map((row) => this.#present(row, sealed.get(row.id) ?? [])),
    )
  }

  /** Throws 404/4048, also for one of another tenant. */
  async get(reader: Pick<Principal, 'scope' | 'tenantId'>, id: string): Promise<PresentedProvider> {
    return this.#read(await this.find(reader, id))
  }

  async create(wish: NewProvider, writer: Writer): Promise<PresentedProvider> {
    const { db, secrets, tenants } = this.#parts
    const tenantId = await ownerOf(writer.principal, wish.tenant_id, { tenants, refuse: refuseFaults })
    const { credentials = {} } = wish
    const columns = newColumns(wish)
    const offered = this.offered(tenantId, columns.plugin)
    refuseFaults([
      ...providerFaults(columns, credentials, offered),
      ...(columns.baseUrl === null ? [] : await this.#parts.whereTo.faults(columns.baseUrl)),
    ])
    return db.transaction(async (trx) => {
      const row = await ProviderRow.of(tenantId, trx)
        .insert({ ...columns, id: createSortableId('prv') })
        .returning('*')
        .catch(takenCode)
      await secrets.write(row, credentials, trx)
      const after = await this.#read(row, trx)
      await this.#record('created', row, writer, { after }, trx)
      return after
    })
  }

  async update(id: string, wish: ProviderChange, writer: Change): Promise<PresentedProvider> {
    const { db, secrets } = this.#parts
    const { credentials = {} } = wish
    // Looked up outside of the transaction, which must not wait for name servers.
    const addressFaults = await this.#addressFaults(await this.find(writer.principal, id), wish)
    return db.transaction(async (trx) => {
      const row = await this.find(writer.principal, id, trx)
      writer.requireMatch(String(row.version))
      const before = await this.#read(row, trx)
      const columns = columnsOf(wish)
      await this.#check(row, { ...row, ...columns }, credentials, addressFaults, trx)
      await secrets.write(row, credentials, trx)
      const isSame = isDeepStrictEqual({ ...row, ...columns }, { ...row })
      if (isSame && Object.keys(credentials).length === 0) return before
      const changed = await rowsFor(ProviderRow, writer.principal, trx)
        .patchAndFetchById(id, { ...columns, version: row.version + 1, updatedAt: new Date() })
        .catch(takenCode)
      const after = await this.#read(changed, trx)
      await this.#record('updated', row, writer, { before, after, given: Object.keys(credentials) }, trx)
      return after
    })
  }

  /** Keeps the row, for the names in usage that was, and none of its secrets. */
  async delete(id: string, writer: Writer, isForced: boolean): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const row = await this.find(writer.principal, id, trx)
      const models = isForced ? [] : await modelsUsing(id, trx)
      if (models.length > 0) throw new ProviderInUseError({ details: { by: { models } } })
      const before = await this.#read(row, trx)
      await ProviderSecretRow.of(row.tenantId, trx).delete().where({ provider_id: id })
      const end = { deletedAt: new Date(), status: 'disabled' as const, version: row.version + 1 }
      await ProviderRow.of(row.tenantId, trx).findById(id).patch(end)
      await this.#record('deleted', row, writer, { before }, trx)
    })
  }

  /** The row, locked within a transaction. Throws 404/4048, also for one of another tenant. */
  async find(reader: Pick<Principal, 'scope' | 'tenantId'>, id: string, trx?: Knex.Transaction): Promise<ProviderRow> {
    const query = rowsFor(ProviderRow, reader, trx ?? this.#parts.db)
      .findById(id)
      .whereNull('deleted_at')
    const row = await (trx ? query.forUpdate() : query)
    if (!row) throw new AiProviderNotFoundError()
    return row
  }

  /** Its secrets, sealed. */
  async secretsOf({ id }: ProviderRow): Promise<readonly ProviderSecretRow[]> {
    return (await this.#parts.secrets.of([id], this.#parts.db)).get(id) ?? []
  }

  /** What a plugin that runs for its owner says of its provider. */
  offered(tenantId: number, plugin: ProviderRow['plugin']): PluginProvider | undefined {
    if (plugin === null) return undefined
    const offers = this.#parts.plugins.list(tenantId)
    return offers.find((offer) => offer.plugin === plugin.name && offer.code === plugin.provider)
  }

  /** Throws 422/4229 for what the provider would be. */
  async #check(
    row: ProviderRow,
    after: ProviderFields,
    credentials: SecretChange,
    addressFaults: Awaited<ReturnType<WhereTo['faults']>>,
    trx: Knex.Transaction,
  ): Promise<void> {
    const sealed = (await this.#parts.secrets.of([row.id], trx)).get(row.id) ?? []
    const isMoved = after.baseUrl !== row.baseUrl
    const bound = isMoved
      ? unboundSecrets(
          sealed.map(({ field }) => field),
          credentials,
        )
      : []
    const offered = this.offered(row.tenantId, row.plugin)
    refuseFaults([...providerFaults(after, credentials, offered), ...addressFaults, ...bound])
  }

  async #addressFaults(row: ProviderRow, { base_url: baseUrl }: ProviderChange) {
    if (typeof baseUrl !== 'string' || baseUrl === row.baseUrl) return []
    return this.#parts.whereTo.faults(baseUrl)
  }

  async #read(row: ProviderRow, db: Knex = this.#parts.db): Promise<PresentedProvider> {
    return this.#present(row, (await this.#parts.secrets.of([row.id], db)).get(row.id) ?? [])
  }

  #present(row: ProviderRow, sealed: readonly ProviderSecretRow[]): PresentedProvider {
    const fields = secretFields(row.type, this.offered(row.tenantId, row.plugin))
    return presentProvider(row, this.#parts.secrets.present(fields, sealed))
  }

  async #record(
    what: string,
    { id, tenantId }: ProviderRow,
    { principal, state }: Writer,
    { given, ...change }: { before?: PresentedProvider; after?: PresentedProvider; given?: readonly string[] },
    trx: Knex.Transaction,
  ): Promise<void> {
    const about = {
      tenantId: principal.tenantId,
      actor: principal,
      traceId: state.traceId,
      target: `ai_provider:${id}`,
    }
    const after = change.after && { ...change.after, owner_id: tenantId, ...(given && { given }) }
    await this.#parts.audit.record({ ...about, ...change, after, action: `ai_provider.${what}` }, trx)
  }
}

function takenCode(error: unknown): never {
  const { nativeError } = error as { nativeError?: { constraint?: string } }
  if (nativeError?.constraint !== 'ai_providers_code') throw error
  throw new ProviderCodeTakenError({ details: { field: 'code' }, cause: error })
}
