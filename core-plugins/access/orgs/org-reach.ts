import type { Knex } from 'knex'
import type { Model, QueryBuilder } from 'objection'
import { DataScopeError, NotFoundError, ValidationFailedError, type DataScopePlan, type Principal } from '#kernel'
import type { ScopeReader } from '../scope/scope-reader.ts'
import { OrgNode } from '../records/org-models.ts'

const reading = ['tenant_org:list', 'tenant_org:detail']

/** Which nodes a caller may read and change. */
export class OrgReach {
  readonly #scopes: ScopeReader

  constructor(scopes: ScopeReader) {
    this.#scopes = scopes
  }

  /** What the caller reaches with a permission, for reading; for a write as its transaction sees it. */
  planOf({ tenantId, userId }: Principal, permission: string, trx?: Knex.Transaction): Promise<DataScopePlan> {
    if (trx) return this.#scopes.planIn(trx, tenantId, userId, permission)
    return this.#scopes.planOf(tenantId, userId, permission)
  }

  /** A node for reading; what is out of the caller's scope is not there (404/4040). */
  async find(principal: Principal, id: number, permission: string, db: Knex): Promise<OrgNode> {
    const node = await OrgNode.of(principal.tenantId, db).findById(id)
    if (!node || !covers(await this.planOf(principal, permission), id)) throw new NotFoundError()
    return node
  }

  /** A node that nobody else changes until the transaction ends; one the caller may only see is 403/4031. */
  async findToChange(principal: Principal, id: number, permission: string, trx: Knex.Transaction): Promise<OrgNode> {
    const node = await OrgNode.of(principal.tenantId, trx).findById(id).forUpdate()
    if (!node) throw new NotFoundError()
    if (covers(await this.planOf(principal, permission, trx), id)) return node
    const seen = await Promise.all(
      reading.map(async (name) => principal.can(name) && covers(await this.planOf(principal, name, trx), id)),
    )
    if (seen.includes(true)) throw new DataScopeError()
    throw new NotFoundError()
  }

  /** The node that a body names as a parent, null for the top; an unknown one is 422, one out of scope 403/4031. */
  async findParent(
    principal: Principal,
    id: number | null,
    permission: string,
    trx: Knex.Transaction,
  ): Promise<OrgNode | null> {
    const plan = await this.planOf(principal, permission, trx)
    const parent = id === null ? null : await OrgNode.of(principal.tenantId, trx).findById(id)
    if (parent === undefined) throw unknownIn('parent_id', 'there is no such organisation node')
    if (!covers(plan, id)) throw new DataScopeError()
    return parent
  }
}

/** Whether a plan reaches a node; the top, which is null, belongs to those who reach everything. */
export function covers(plan: DataScopePlan, id: number | null): boolean {
  return plan.kind === 'all' || (plan.kind === 'filter' && id !== null && plan.orgIds.includes(id))
}

/** Narrows a query of nodes to those of a plan. */
export function whereReached<Q extends QueryBuilder<Model, unknown>>(query: Q, plan: DataScopePlan): Q {
  if (plan.kind === 'all') return query
  return query.whereRaw('id = any(?::int[])', [plan.kind === 'filter' ? [...plan.orgIds] : []])
}

/** The error for a field that names what is not there. */
export function unknownIn(field: string, message: string) {
  return new ValidationFailedError({ errors: [{ field, rule: 'known', message }] })
}
