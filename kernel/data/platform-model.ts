import type { Knex } from 'knex'
import { Model, snakeCaseMappers, type Constructor, type QueryBuilderType } from 'objection'

/** A table that belongs to no tenant. Columns of subclasses are written `declare name: string`. */
export class PlatformModel extends Model {
  static override columnNameMappers = snakeCaseMappers()
  static override useLimitInFirst = true

  /** Queries the table through a pool or a transaction. */
  static with<M extends PlatformModel>(this: Constructor<M>, db: Knex): QueryBuilderType<M> {
    return (this as unknown as typeof PlatformModel).query(db)
  }
}
