import type { Json } from '../capabilities/json.ts'
import type { Row, RowOf, TableName } from '../capabilities/names.ts'

/** A comparison in `where`. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike'

/**
 * One statement on the plugin's own tables, sent when it is awaited. The platform adds the tenant, binds every value and
 * caps a result at 1,000 rows and 1 MB; a statement takes at most 5 s. It fails with `bad_request` for a table or column
 * that the manifest and the migrations do not have, `conflict` for a duplicate, `rate_limited` beyond the quota.
 */
export interface Query<Result = readonly Row[], Shape extends object = Row> extends PromiseLike<Result> {
  /** The columns wanted; all of them when it is not called. */
  select(...columns: readonly string[]): Query<Result, Shape>
  where(column: string, value: Json): Query<Result, Shape>
  where(column: string, operator: Operator, value: Json): Query<Result, Shape>
  where(equal: Readonly<Record<string, Json>>): Query<Result, Shape>
  whereIn(column: string, values: readonly Json[]): Query<Result, Shape>
  whereNotIn(column: string, values: readonly Json[]): Query<Result, Shape>
  whereNull(column: string): Query<Result, Shape>
  whereNotNull(column: string): Query<Result, Shape>
  /** Another of the plugin's tables, where two columns, written `table.column`, are equal. */
  join(table: string, left: string, right: string): Query<Result, Shape>
  groupBy(...columns: readonly string[]): Query
  orderBy(column: string, direction?: 'asc' | 'desc'): Query<Result, Shape>
  limit(rows: number): Query<Result, Shape>
  offset(rows: number): Query<Result, Shape>
  /** Continues after the row with these values in the `orderBy` columns: the way to page through many. */
  after(...values: readonly Json[]): Query<Result, Shape>
  /** The first row, or `undefined`. */
  first(): Query<Shape | undefined, Shape>
  /** Gives back the new row, with what the database filled in. */
  insert(row: Readonly<Record<string, Json>>): Query<Shape, Shape>
  insert(rows: readonly Readonly<Record<string, Json>>[]): Query<readonly Shape[], Shape>
  /** Inserts, or updates the row that has the same values in the conflict columns. */
  upsert(row: Readonly<Record<string, Json>>, ...conflict: readonly string[]): Query<Shape, Shape>
  upsert(
    rows: readonly Readonly<Record<string, Json>>[],
    ...conflict: readonly string[]
  ): Query<readonly Shape[], Shape>
  /** Gives back the number of rows changed. */
  update(changes: Readonly<Record<string, Json>>): Query<number>
  /** Gives back the number of rows removed. */
  delete(): Query<number>
  /** A number; rows, with the value under `as`, when there is a `groupBy` or another aggregate. */
  count(as?: string): Query<number>
  sum(column: string, as?: string): Query<number>
  min(column: string, as?: string): Query<Json>
  max(column: string, as?: string): Query<Json>
}

/** Queries within one transaction. */
export interface Transaction {
  /** Its rows are as the migrations make them, once `stoa types` has declared them. */
  table<Name extends TableName>(name: Name): Query<readonly RowOf<Name>[], RowOf<Name>>
  /** `Shape` is what the author says a row is: nobody has checked it against the migrations. */
  table<Shape extends object>(name: TableName): Query<readonly Shape[], Shape>
}

/** The plugin's own tables, for those granted `db:own_tables`: the third argument of every function, absent for others. */
export interface Db extends Transaction {
  /** Commits what `work` did, or undoes it when it throws; at most 5 s and 100 statements. Gives back what `work` returned. */
  tx<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}
