import type { Json } from '../capabilities/json.ts'
import type { ColumnOf, Row, RowOf, TableName } from '../capabilities/names.ts'

/** A comparison in `where`. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike'

/** Every table has it; calls of the platform reach the rows of all tenants, and others those of their own. */
type TenantColumn = 'tenant_id'

/** A column by its name, or written `table.column`. */
type Named<Columns extends string> = Columns | TenantColumn | `${string}.${string}`

/** A column that is shown, under its own name or another. */
type Shown<Columns extends string> = Named<Columns> | `${Named<Columns>} as ${string}` | '*'

/** Some columns with their values. */
type Values<Columns extends string> = Readonly<Partial<Record<Columns, Json>>>

/** What is written: a column whose value is `undefined` is left as it is, or as its default says. */
type Written<Columns extends string> = Readonly<Partial<Record<Columns, Json | undefined>>>

/** Conditions, joined by AND; `orWhere` begins another alternative, as OR does in SQL. */
export interface Conditions<Self, Columns extends string = string> {
  where(column: Named<Columns>, value: Json): Self
  where(column: Named<Columns>, operator: Operator, value: Json): Self
  where(equal: Values<Named<Columns>>): Self
  /** Conditions in brackets: `.where((either) => either.where('stars', 5).orWhere('pinned', true))`. */
  where(group: (conditions: ConditionGroup<Columns>) => unknown): Self
  orWhere(column: Named<Columns>, value: Json): Self
  orWhere(column: Named<Columns>, operator: Operator, value: Json): Self
  orWhere(equal: Values<Named<Columns>>): Self
  orWhere(group: (conditions: ConditionGroup<Columns>) => unknown): Self
  whereNot(column: Named<Columns>, value: Json): Self
  whereNot(column: Named<Columns>, operator: Operator, value: Json): Self
  whereNot(equal: Values<Named<Columns>>): Self
  whereNot(group: (conditions: ConditionGroup<Columns>) => unknown): Self
  whereIn(column: Named<Columns>, values: readonly Json[]): Self
  whereNotIn(column: Named<Columns>, values: readonly Json[]): Self
  whereNull(column: Named<Columns>): Self
  whereNotNull(column: Named<Columns>): Self
}

/** Conditions in brackets. */
export type ConditionGroup<Columns extends string = string> = Conditions<ConditionGroup<Columns>, Columns>

/** How words are searched for. */
export interface SearchOptions<As extends string = string> {
  /** `simple` compares words as they are, and is the usual one; others know the forms of words of a language. */
  readonly language?:
    | 'simple'
    | 'danish'
    | 'dutch'
    | 'english'
    | 'finnish'
    | 'french'
    | 'german'
    | 'hungarian'
    | 'italian'
    | 'norwegian'
    | 'portuguese'
    | 'romanian'
    | 'russian'
    | 'spanish'
    | 'swedish'
    | 'turkish'
  /** Whether `all` words must be there, unless said otherwise, or `any`. */
  readonly match?: 'all' | 'any'
  /** Whether the last word may go on, as while somebody types. */
  readonly prefix?: boolean
  /** Adds how well a row meets the search to the answer, under this name; `orderBy` takes it. */
  readonly as?: As
}

/** A page of rows, and the `cursor` to ask for the next one with; `null` when there is none. No interface, so that it may be answered as JSON. */
export type Page<Shape extends object> = {
  readonly rows: readonly Shape[]
  readonly next: string | null
}

/**
 * One statement on the plugin's own tables, sent when it is awaited. The platform adds the tenant, binds every value and
 * caps a result at 1,000 rows and 1 MB; a statement takes at most 5 s. It fails with `bad_request` for a table or column
 * that the manifest and the migrations do not have, `conflict` for a duplicate, `rate_limited` beyond the quota; the details name
 * `table`, `column` or `columns`, and `constraint`.
 */
export interface Query<Result = readonly Row[], Shape extends object = Row, Columns extends string = string>
  extends PromiseLike<Result>, Conditions<Query<Result, Shape, Columns>, Columns> {
  /** The columns wanted, also as `column as name`; all of them when it is not called. */
  select(...columns: readonly Shown<Columns>[]): Query<Result, Shape, Columns>
  /** Rows that differ in these columns, or in those of `select`. */
  distinct(...columns: readonly Shown<Columns>[]): Query<Result, Shape, Columns>
  /** Another of the plugin's tables, also as `lines as l`, where two columns, written `table.column`, are equal. */
  join(table: string, left: string, right: string): Query<Result, Shape>
  /** The same, and rows for which there is none there: its columns are `null` then. */
  leftJoin(table: string, left: string, right: string): Query<Result, Shape>
  /**
   * Rows that have the words of a text in these columns of text: at most 500 characters and 32 words. What is written without spaces, as
   * Chinese, Japanese and Korean, is found by any of its parts.
   */
  search<const As extends string = never>(
    columns: Named<Columns> | readonly Named<Columns>[],
    text: string,
    options?: SearchOptions<As>,
  ): Query<Result, Shape, Columns | As>
  groupBy(...columns: readonly Named<Columns>[]): Query
  /** A condition on a group, by a column of `groupBy` or the name of an aggregate. */
  having(name: string, value: Json): Query<Result, Shape, Columns>
  having(name: string, operator: Operator, value: Json): Query<Result, Shape, Columns>
  orderBy(column: Named<Columns>, direction?: 'asc' | 'desc'): Query<Result, Shape, Columns>
  limit(rows: number): Query<Result, Shape, Columns>
  offset(rows: number): Query<Result, Shape, Columns>
  /** Continues after the row with these values in the `orderBy` columns: the way to page through many. */
  after(...values: readonly Json[]): Query<Result, Shape, Columns>
  /** At most 999 rows and a cursor to the next ones. `orderBy` must tell any two rows apart, so let it end with the key. */
  page(size: number, cursor?: string | readonly string[] | null): Query<Page<Shape>, Shape, Columns>
  /** The first row, or `undefined`. */
  first(): Query<Shape | undefined, Shape, Columns>
  /** Gives back the new row, with what the database filled in. */
  insert(row: Written<Columns | TenantColumn>): Query<Shape, Shape, Columns>
  insert(rows: readonly Written<Columns | TenantColumn>[]): Query<readonly Shape[], Shape, Columns>
  /** Inserts, or updates the row that has the same values in the conflict columns. */
  upsert(
    row: Written<Columns | TenantColumn>,
    ...conflict: readonly (Columns | TenantColumn)[]
  ): Query<Shape, Shape, Columns>
  upsert(
    rows: readonly Written<Columns | TenantColumn>[],
    ...conflict: readonly (Columns | TenantColumn)[]
  ): Query<readonly Shape[], Shape, Columns>
  /** Gives back the number of rows changed. */
  update(changes: Written<Columns>): Query<number, Shape, Columns>
  /** Adds to a number, 1 unless said otherwise, in one step however many do so at once. May be called for several columns. */
  increment(column: Columns, by?: number | string): Query<number, Shape, Columns>
  decrement(column: Columns, by?: number): Query<number, Shape, Columns>
  /** Gives back the number of rows removed. */
  delete(): Query<number, Shape, Columns>
  /** What a write gives back: these columns of its rows, or all. More than 1,000 rows fail, and nothing is changed. */
  returning(
    ...columns: readonly (Columns | TenantColumn | '*')[]
  ): Query<Result extends number ? readonly Shape[] : Result, Shape, Columns>
  /** A number; rows, with the value under `as`, when there is a `groupBy` or another aggregate. */
  count(as?: string): Query<number>
  countDistinct(column: Named<Columns>, as?: string): Query<number>
  sum(column: Named<Columns>, as?: string): Query<number>
  /** `null` where there is nothing. */
  avg(column: Named<Columns>, as?: string): Query<number | null>
  min(column: Named<Columns>, as?: string): Query<Json>
  max(column: Named<Columns>, as?: string): Query<Json>
}

/** Queries within one transaction. */
export interface Transaction {
  /** Its rows and columns are as the migrations make them, once `stoa types` has declared them. */
  table<Name extends TableName>(name: Name): Query<readonly RowOf<Name>[], RowOf<Name>, ColumnOf<Name>>
  /** `Shape` is what the author says a row is: nobody has checked it against the migrations. */
  table<Shape extends object>(name: TableName): Query<readonly Shape[], Shape>
  /** A table under another name, for joins: `notes as n`. */
  table<Shape extends object = Row>(name: `${TableName} as ${string}`): Query<readonly Shape[], Shape>
  /** Sends several queries at once: at most 100, done in order, all of them or none. Gives back their results in the same order. */
  batch<const Results extends readonly unknown[]>(queries: {
    readonly [Index in keyof Results]: Query<Results[Index]>
  }): Promise<Results>
}

/** The plugin's own tables, for those granted `db:own_tables`: the third argument of every function, absent for others. */
export interface Db extends Transaction {
  /** Commits what `work` did, or undoes it when it throws; at most 5 s and 100 statements. Gives back what `work` returned. */
  tx<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}
