import type { Knex } from 'knex'
import { NotFoundError, whatIsGiven, wherePeriod, type Page, type Period, type Principal, type Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import { configChangeDecided } from '../contract.ts'
import type { GroupViews } from '../reading/group-view.ts'
import { ChangeRequest, type ChangeState } from '../models.ts'
import type { ConfigParts } from '../reading/reader.ts'
import type { Workflow } from '../writing/workflow.ts'
import type { ChangeRequests } from '../writing/change-requests.ts'

/** What decisions are made with. */
interface DecisionParts {
  readonly scope: Scope
  readonly config: ConfigParts
  readonly views: GroupViews
  readonly workflow: Workflow
  readonly requests: ChangeRequests
  readonly audit: Audit
}

/** Who decides, and why. */
export interface Decider {
  readonly principal: Principal
  readonly reason: string
  readonly locale: string
  readonly traceId: string
}

/** Which requests a list shows. */
interface ChangeFilter extends Period {
  readonly id?: number
  readonly state?: ChangeState
  readonly tenant_id?: number
  readonly group?: string
  readonly requested_by?: number
  readonly decided_by?: number
}

/** What becomes of the changes that tenants ask for. */
export class Decisions {
  readonly #parts: DecisionParts

  constructor(parts: DecisionParts) {
    this.#parts = parts
  }

  /** Those of a tenant, or of every one; the search looks at groups. */
  async list(
    tenantId: number | undefined,
    page: Page,
    { id, state, tenant_id, group: group_code, requested_by, decided_by, from, to }: ChangeFilter,
  ): Promise<{ readonly rows: readonly ChangeRequest[]; readonly total: number }> {
    const { db } = this.#parts.scope
    const all = tenantId === undefined ? ChangeRequest.acrossTenants(db) : ChangeRequest.of(tenantId, db)
    const query = all.where(
      whatIsGiven<string | number>({ id, state, tenant_id, group_code, requested_by, decided_by }),
    )
    wherePeriod(query, 'requested_at', { from, to })
    if (page.pattern !== undefined) void query.whereILike('group_code', page.pattern)
    const total = await query.resultSize()
    const rows = await query.orderBy('id', 'desc').offset(page.offset).limit(page.size)
    return { rows, total }
  }

  /** Makes the values hold, by the rules of today; throws 409/4094 when they began from what is not there any more. */
  async approve(id: number, decider: Decider): Promise<ChangeRequest> {
    const { config, views, workflow } = this.#parts
    const request = await this.#find(id)
    const { tenantId, groupCode, after } = request
    const group = views.get(groupCode, tenantId)
    const entries = Object.entries(after).flatMap(([key, text]) => {
      const item = group.items.get(key)
      return text === null ? [] : [[key, item ? config.codec.decode(item, text) : undefined] as const]
    })
    const reset = Object.keys(after).filter((key) => after[key] === null)
    const { principal: actor, reason, locale, traceId } = decider
    // Whoever asked was let through then, also to items that only their owner writes.
    const options = { actor, reset, locale, traceId, includesReadonly: true }
    await workflow.write({ group, tenantId, values: Object.fromEntries(entries), options }, { request, reason })
    await this.#tell(request, 'approved', decider)
    return this.#find(id)
  }

  /** Refuses a request; nothing changes. */
  async reject(id: number, decider: Decider): Promise<ChangeRequest> {
    const request = await this.#find(id)
    await this.#end(request, 'rejected', decider)
    await this.#tell(request, 'rejected', decider)
    return this.#find(id)
  }

  /** Takes a request of the decider's own tenant back. */
  async cancel(id: number, decider: Decider): Promise<ChangeRequest> {
    const { tenantId } = decider.principal
    const request = await ChangeRequest.of(tenantId, this.#parts.scope.db).findById(id)
    if (!request) throw new NotFoundError()
    await this.#end(request, 'cancelled', decider, (trx) => this.#record(request, tenantId, 'cancelled', decider, trx))
    return this.#find(id)
  }

  async #find(id: number): Promise<ChangeRequest> {
    const request = await ChangeRequest.acrossTenants(this.#parts.scope.db).findById(id)
    if (!request) throw new NotFoundError()
    return request
  }

  async #end(
    request: ChangeRequest,
    state: 'rejected' | 'cancelled',
    { principal, reason }: Decider,
    also?: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    const { scope, requests } = this.#parts
    await scope.db.transaction(async (trx) => {
      const open = await requests.lock(trx, request)
      await requests.decide(trx, open, { state, decidedBy: principal.userId, reason })
      await also?.(trx)
    })
  }

  /** A decision of the platform stands in its own log. */
  async #tell(request: ChangeRequest, state: 'approved' | 'rejected', decider: Decider): Promise<void> {
    const { id: requestId, tenantId } = request
    await this.#record(request, 0, state, decider)
    await this.#parts.scope.emit(configChangeDecided, { tenantId, requestId, state })
  }

  async #record(
    { id, tenantId, groupCode, after }: ChangeRequest,
    logOf: number,
    state: string,
    { principal, reason, traceId }: Decider,
    trx?: Knex.Transaction,
  ): Promise<void> {
    const entry = { tenantId: logOf, actor: principal, action: `config.change_${state}`, target: `config_change:${id}` }
    const facts = { tenant_id: tenantId, group: groupCode, keys: Object.keys(after), reason, state }
    await this.#parts.audit.record({ ...entry, before: { state: 'pending' }, after: facts, traceId }, trx)
  }
}
