import type { Knex } from 'knex'
import {
  Model,
  snakeCaseMappers,
  type Constructor,
  type ModelOptions,
  type QueryBuilderType,
  type QueryContext,
} from 'objection'
import { ProgrammingError } from '../programming-errors.ts'
import { tenantContext, type TenantContext } from './tenant-context.ts'
import { TenantQueryBuilder, tenantKey } from './tenant-query-builder.ts'

/** A table whose rows belong to tenants. Columns of subclasses are written `declare name: string`. */
export class TenantModel extends Model {
  static override QueryBuilder = TenantQueryBuilder
  static override columnNameMappers = snakeCaseMappers()
  static override useLimitInFirst = true

  declare tenantId: number

  /** Queries one tenant's rows: the only way to them but `acrossTenants`. */
  static of<M extends TenantModel>(this: Constructor<M>, tenantId: number, db: Knex): QueryBuilderType<M> {
    if ((tenantId as unknown) === 'all') throw new ProgrammingError('Ask acrossTenants for the rows of all tenants')
    return queryAs(this, tenantId, db)
  }

  /** Queries the rows of all tenants, for the platform acting for all; an insert names its tenant itself. */
  static acrossTenants<M extends TenantModel>(this: Constructor<M>, db: Knex): QueryBuilderType<M> {
    return queryAs(this, 'all', db)
  }

  override $beforeInsert(context: QueryContext): void {
    const tenant = tenantIn(context)
    if (typeof tenant !== 'number') return
    this.#refuseOther(tenant)
    this.tenantId = tenant
  }

  override $beforeUpdate(_options: ModelOptions, context: QueryContext): void {
    const tenant = tenantIn(context)
    if (typeof tenant === 'number') this.#refuseOther(tenant)
  }

  #refuseOther(tenant: number): void {
    if (this.tenantId === undefined || this.tenantId === tenant) return
    throw new ProgrammingError(`A row of tenant ${this.tenantId} is written as tenant ${tenant}`)
  }
}

function queryAs<M extends TenantModel>(
  model: Constructor<M>,
  tenant: TenantContext['tenant'],
  db: Knex,
): QueryBuilderType<M> {
  const query = (model as unknown as typeof TenantModel).query(db)
  return query.context({ [tenantKey]: tenantContext(tenant).tenant })
}

function tenantIn(context: QueryContext): TenantContext['tenant'] | undefined {
  return (context as { [tenantKey]?: TenantContext['tenant'] })[tenantKey]
}
