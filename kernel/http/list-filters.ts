/** A period that a list is asked for, ISO 8601; open where a side is left out. */
export interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A query of knex or objection that can be narrowed. */
interface Narrowed {
  where(column: string, operator: string, value: Date): unknown
}

/** Narrows a query to what its column puts into the period. */
export function wherePeriod(query: Narrowed, column: string, { from, to }: Period): void {
  if (from !== undefined) query.where(column, '>=', new Date(from))
  if (to !== undefined) query.where(column, '<', new Date(to))
}

/** A filter without what was left out: those fields do not matter. */
export function whatIsGiven<T>(filter: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const given = Object.entries(filter).filter((entry): entry is [string, T] => entry[1] !== undefined)
  return Object.fromEntries(given)
}
