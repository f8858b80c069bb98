/** A comparison the query builder can ask for; `is null` and `is not null` take no value. */
export type StatementOperator =
  '=' | '!=' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike' | 'in' | 'not in' | 'is null' | 'is not null'

/** One condition; a statement's conditions are joined by AND. */
export interface StatementCondition {
  readonly column: string
  readonly operator: StatementOperator
  readonly value?: unknown
}

/**
 * What the guest's query builder collects and sends as the argument of `db.query`. It comes from guest code: every part of
 * it is unchecked, whatever this type says.
 */
export interface Statement {
  /** From `db.begin`, when the statement belongs to a transaction. */
  readonly tx?: string
  readonly table: string
  readonly operation: 'select' | 'insert' | 'upsert' | 'update' | 'delete'
  readonly columns?: readonly string[]
  readonly where?: readonly StatementCondition[]
  readonly join?: readonly { readonly table: string; readonly left: string; readonly right: string }[]
  readonly groupBy?: readonly string[]
  readonly aggregates?: readonly {
    readonly fn: 'count' | 'sum' | 'min' | 'max'
    /** Absent for the count of rows. */
    readonly column?: string
    readonly as: string
  }[]
  readonly orderBy?: readonly { readonly column: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit?: number
  readonly offset?: number
  /** Keyset pagination: the values of the orderBy columns in the last row of the page before. */
  readonly after?: readonly unknown[]
  /** Rows of an insert or upsert; the one set of changes of an update. */
  readonly values?: readonly Readonly<Record<string, unknown>>[]
  /** The columns that decide whether an upsert meets an existing row. */
  readonly conflict?: readonly string[]
}
