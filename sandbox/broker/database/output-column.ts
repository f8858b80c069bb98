import type { NamedColumn } from './statement-names.ts'

/** A column of the answer: made so that it arrives in JSON without losing anything. */
export interface OutputColumn {
  readonly name: string
  readonly sql: string
  /** SQL for the size of one value of the answer's column, where it is not small by nature. */
  readonly isLarge: boolean
  /** What it is made from. */
  readonly source: NamedColumn
}

const largestExact = Number.MAX_SAFE_INTEGER

/** No column of an author's has a capital letter. */
const item = '"Item"'
const plain: ReadonlySet<NamedColumn['family']> = new Set([
  'integer',
  'float',
  'boolean',
  'text',
  'uuid',
  'time',
  'json',
])

/**
 * How a column is shown: big whole numbers that JSON numbers cannot hold and decimals as text, bytes in base64, times in the
 * platform's form.
 */
export function shownAs(column: NamedColumn): OutputColumn {
  const { name, sql, family, isArray } = column
  const shown = isArray ? shownArray(sql, family) : shownScalar(sql, family)
  return { name, sql: shown, isLarge: isArray || ['text', 'json', 'bytes'].includes(family), source: column }
}

function shownArray(sql: string, family: NamedColumn['family']): string {
  if (plain.has(family)) return sql
  const items = `select json_agg(${shownScalar(item, family)} order by place) from unnest(${sql}) with ordinality as items(${item}, place)`
  return `case when ${sql} is null then null else coalesce((${items}), '[]') end`
}

function shownScalar(sql: string, family: NamedColumn['family']): string {
  switch (family) {
    case 'bigint':
      return `case when ${sql} between -${largestExact} and ${largestExact} then to_json(${sql}) else to_json(${sql}::text) end`
    case 'numeric':
      return `${sql}::text`
    case 'instant':
      return shownTime(sql, `${sql} at time zone 'UTC'`)
    case 'timestamp':
      return shownTime(sql, sql)
    case 'bytes':
      return `case when ${sql} is null then null else json_build_object('base64', translate(encode(${sql}, 'base64'), E'\\n', '')) end`
    default:
      return sql
  }
}

/** With milliseconds and `Z`; infinity has neither. */
function shownTime(sql: string, inUtc: string): string {
  return `case when isfinite(${sql}) then to_char(${inUtc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else ${sql}::text end`
}
