import type { Knex } from 'knex'
import { QueryBuilder, type Model } from 'objection'
import { ProgrammingError } from '../programming-errors.ts'
import { tenantContext, type TenantContext } from './tenant-context.ts'

/** Only `TenantModel.of` and `acrossTenants` can put a tenant here: the key is a symbol that leaves this folder with nobody. */
export const tenantKey = Symbol('tenant')

/** The part of objection's builder that its typings leave out. */
interface Internals {
  isPartial(): boolean
  parentQuery(): Internals | null
  context(): { readonly [tenantKey]?: TenantContext['tenant'] }
  executeOnBuildKnex(query: Knex.QueryBuilder): Knex.QueryBuilder
}
interface Statement {
  readonly grouping: string
  readonly bool?: string
}

const internals = QueryBuilder.prototype as unknown as Internals

/** Counts stop here, so that a page of the largest list costs no more than one of a large one. */
const countedAtMost = 100_000

/** Puts the tenant into everything that becomes SQL; a query without a tenant never does. */
export class TenantQueryBuilder<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  /** The one place of objection where each select, insert, update and delete passes before it is sent. */
  executeOnBuildKnex(query: Knex.QueryBuilder): Knex.QueryBuilder {
    const built = internals.executeOnBuildKnex.call(this, query)
    // A partial query is a group of conditions inside another query, which carries the tenant.
    if (internals.isPartial.call(this)) return built
    const context = this.#tenant()
    const told = built.queryContext(context)
    if (context.tenant === 'all') return told
    return fence(told, `${this.tableRefFor(this.modelClass())}.tenant_id`, context.tenant)
  }

  /** Counts as the tenant, to `countedAtMost`; objection's own count runs on a query that knows of none. */
  override async resultSize(): Promise<number> {
    const rows = this.clone()
      .clear(/orderBy|offset|limit/)
      .limit(countedAtMost)
      .toKnexQuery()
      .as('counted')
    const counted = this.knex().count('* as count').from(rows).queryContext(this.#tenant()) as unknown
    const [row] = (await counted) as [{ count: string }]
    return Number(row.count)
  }

  #tenant(): TenantContext {
    const tenant = findTenant(this as unknown as Internals)
    if (tenant !== undefined) return tenantContext(tenant)
    const name = this.modelClass().name
    throw new ProgrammingError(`A query of ${name} has no tenant: start it with ${name}.of(tenantId, db)`)
  }
}

function findTenant(builder: Internals | null): TenantContext['tenant'] | undefined {
  return builder ? (builder.context()[tenantKey] ?? findTenant(builder.parentQuery())) : undefined
}

/** Adds the tenant to the conditions; what was there before goes into parentheses, or an `or` would stand beside the fence. */
function fence(query: Knex.QueryBuilder, column: string, tenant: number): Knex.QueryBuilder {
  const conditions = statementsOf(query).filter((statement) => statement.grouping === 'where')
  if (!conditions.some((condition) => condition.bool === 'or')) return query.where(column, tenant)
  return query
    .clearWhere()
    .where(column, tenant)
    .where((group) => void statementsOf(group).push(...conditions))
}

function statementsOf(query: Knex.QueryBuilder): Statement[] {
  return (query as unknown as { _statements: Statement[] })._statements
}
