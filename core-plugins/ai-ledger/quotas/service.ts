import type { Knex } from 'knex'
import {
  createSortableId,
  ownerOf,
  presentPage,
  whatIsGiven,
  type FieldError,
  type Page,
  type Principal,
  type RouteContext,
  type TenantResolver,
} from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { tenantFor } from '../area.ts'
import { QuotaIsPlatformsError, QuotaNotFoundError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { presentQuota } from './present.ts'
import type { Metric, Quota, Share } from './quota.ts'
import { quotaOf, QuotaRow } from './quota-model.ts'
import type { QuotaTable } from './quota-table.ts'
import {
  faultsOfOnExceed,
  faultsOfScope,
  readLimit,
  readOnExceed,
  readSpan,
  type WireOnExceed,
  type WireScope,
  type WireWindow,
} from './read-quota.ts'

interface Settings {
  readonly name?: string
  readonly mode?: 'hard' | 'soft'
  readonly estimate?: 'strict' | 'estimate'
  readonly on_exceed?: WireOnExceed
  readonly warn_at?: readonly number[]
}

/** A quota that comes with a key. */
export interface NewKeyQuota extends Settings {
  readonly metric: Metric
  readonly limit: string
  readonly window?: WireWindow
}

/** A quota to be set. */
interface NewQuota extends NewKeyQuota {
  readonly name: string
  readonly tenant_id?: number | null
  readonly scope?: WireScope
  readonly per?: readonly Share[]
}

interface QuotaChange extends Settings {
  readonly limit?: string
  readonly status?: 'active' | 'disabled'
}

/** Which quotas a list shows. */
interface QuotaFilter {
  readonly metric?: Metric
  readonly status?: 'active' | 'disabled'
  readonly tenant_id?: number
  readonly key_id?: string
  readonly user_id?: number
}

/** What quotas stand on. */
interface QuotaParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly table: Pick<QuotaTable, 'wrote'>
  /** The share of the limit that is used of the fullest bucket of each, in the same order. */
  readonly fullness: (quotas: readonly Quota[]) => Promise<readonly { readonly ratio: number }[]>
}

/** Quotas as administrators set them. */
export class QuotaService {
  readonly #parts: QuotaParts

  constructor(parts: QuotaParts) {
    this.#parts = parts
  }

  async list(asker: Principal, page: Page, { tenant_id, ...filter }: QuotaFilter) {
    const tenant = tenantFor(asker, tenant_id)
    if (tenant === 'none') return presentPage(page, 0, [])
    const { db } = this.#parts
    const query = tenant === undefined ? QuotaRow.acrossTenants(db) : QuotaRow.of(tenant, db)
    const { metric, status, key_id, user_id } = filter
    void query.where(whatIsGiven<string | number>({ metric, status, key_id, user_id }))
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    if (!maySeeUse(asker)) return presentPage(page, total, results.map(presentQuota))
    const full = await this.#parts.fullness(results.map(quotaOf))
    const items = results.map((row, at) => ({ ...presentQuota(row), ratio: full[at]?.ratio ?? 0 }))
    return presentPage(page, total, items)
  }

  async get(asker: Principal, id: string) {
    return presentQuota(await this.find(asker, id))
  }

  /** Throws 404/4040 for what is not there, or another's. */
  async find({ scope, tenantId }: Principal, id: string, db: Knex = this.#parts.db): Promise<QuotaRow> {
    const query = scope === 'platform' ? QuotaRow.acrossTenants(db) : QuotaRow.of(tenantId, db)
    const row = await query.findById(id)
    if (!row) throw new QuotaNotFoundError()
    return row
  }

  /** The same for a change, which tenants make of their own alone; locked until the transaction ends. */
  async findForChange(principal: Principal, id: string, trx: Knex.Transaction): Promise<QuotaRow> {
    const found = await this.find(principal, id, trx)
    if (principal.scope === 'tenant' && found.isPlatforms) throw new QuotaIsPlatformsError()
    await QuotaRow.of(found.tenantId, trx).findById(id).forUpdate()
    return this.find(principal, id, trx)
  }

  async create(body: NewQuota, writer: Writer) {
    const tenantId = await ownerOf(writer.principal, body.tenant_id, {
      tenants: this.#parts.tenants,
      refuse: refuseFaults,
    })
    const row = await this.#parts.db.transaction((trx) => this.#insert(trx, tenantId, body, writer))
    await this.#parts.table.wrote()
    return presentQuota(row)
  }

  /** Sets the quotas that a new key comes with. */
  async createForKey(
    trx: Knex.Transaction,
    key: {
      readonly tenantId: number
      readonly keyId: string
      readonly name: string
      readonly quotas: readonly NewKeyQuota[]
    },
    writer: Writer,
  ): Promise<void> {
    for (const quota of key.quotas) {
      await this.#insert(trx, key.tenantId, { name: key.name, ...quota, scope: { key_id: key.keyId } }, writer)
    }
  }

  /** What a quota counts, and over which time, stays as it was made. */
  async update(id: string, change: QuotaChange, writer: Writer & Pick<RouteContext, 'requireMatch'>) {
    const { db, audit, table } = this.#parts
    const { principal, state } = writer
    const row = await db.transaction(async (trx) => {
      const before = await this.findForChange(principal, id, trx)
      writer.requireMatch(String(before.version))
      const limit = change.limit === undefined ? BigInt(before.amount) : readLimit(before.metric, change.limit)
      refuseFaults([...faultsAmong(limit), ...(change.on_exceed ? faultsOfOnExceed(change.on_exceed) : [])])
      const { name = before.name, mode = before.mode, estimate = before.estimate, status = before.status } = change
      await QuotaRow.of(before.tenantId, trx)
        .findById(id)
        .patch({
          ...{
            name,
            mode,
            estimate,
            status,
            amount: (limit as bigint).toString(),
            version: before.version + 1,
            updatedAt: new Date(),
          },
          ...(change.on_exceed && { onExceed: readOnExceed(change.on_exceed) }),
          ...(change.warn_at && { warnAt: ascending(change.warn_at) }),
        })
      const after = await this.find(principal, id, trx)
      const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: `ai_quota:${id}` }
      await audit.record(
        { ...about, action: 'ai_quota.updated', before: presentQuota(before), after: presentQuota(after) },
        trx,
      )
      return after
    })
    await table.wrote()
    return presentQuota(row)
  }

  async #insert(
    trx: Knex.Transaction,
    tenantId: number,
    body: NewQuota,
    { principal, state }: Writer,
  ): Promise<QuotaRow> {
    const { name, metric, scope = {}, per = [], mode = 'hard', estimate = 'strict', warn_at: warnAt = [] } = body
    const { on_exceed: onExceed = { action: 'reject' } } = body
    const [limit, span] = [readLimit(metric, body.limit), readSpan(metric, body.window)]
    refuseFaults([...faultsAmong(limit, span), ...faultsOfOnExceed(onExceed), ...faultsOfScope(metric, scope, per)])
    const id = createSortableId('qta')
    await QuotaRow.of(tenantId, trx).insert({
      ...{ id, name, metric, mode, estimate, status: 'active', version: 1, createdBy: principal.userId },
      ...{
        isPlatforms: principal.scope === 'platform',
        per: [...per],
        amount: (limit as bigint).toString(),
        span: span as QuotaRow['span'],
      },
      ...{ onExceed: readOnExceed(onExceed), warnAt: ascending(warnAt) },
      ...{ agentId: scope.agent_id ?? null, modelId: scope.model_id ?? null, keyId: scope.key_id ?? null },
      ...{ userId: scope.user_id ?? null, providerId: scope.provider_id ?? null },
    })
    const row = await this.find(principal, id, trx)
    const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: `ai_quota:${id}` }
    await this.#parts.audit.record({ ...about, action: 'ai_quota.created', after: presentQuota(row) }, trx)
    return row
  }
}

function faultsAmong(...read: readonly (object | bigint)[]): readonly FieldError[] {
  return read.filter((each): each is FieldError => typeof each === 'object' && 'rule' in each)
}

function ascending(shares: readonly number[]): number[] {
  return [...shares].sort((one, other) => one - other)
}

/** What is used is for whoever may read the usage itself: in a tenant that is each who may list. */
function maySeeUse(asker: Principal): boolean {
  return asker.scope === 'tenant' || asker.can('ai_quota:usage')
}
