import { bindValue, type Binding } from './column-value.ts'
import { listOf, oneOf, recordOf, statementFault } from './statement-fault.ts'
import type { NamedColumn } from './statement-names.ts'

/** A piece of SQL with the values for its question marks. */
export interface Piece {
  readonly sql: string
  readonly bindings: readonly Binding[]
}

const operators = [
  ...(['=', '!=', '<', '<=', '>', '>=', 'like', 'ilike', 'in', 'not in', 'is null', 'is not null'] as const),
] as const
const maxConditions = 50
const maxDepth = 5
const maxList = 1_000

/** What a condition is about. */
type FindColumn = (name: unknown) => NamedColumn

/**
 * The conditions of a statement, each a piece, for AND. One that says `or` begins another alternative; what has alternatives is one piece in
 * brackets, so that nothing beside it is ever an alternative to it.
 */
export function compileConditions(where: unknown, find: FindColumn): readonly Piece[] {
  return compileList(where, find, { left: maxConditions, depth: 0 })
}

interface Bounds {
  /** Conditions that the statement may still have. */
  left: number
  readonly depth: number
}

function compileList(where: unknown, find: FindColumn, bounds: Bounds): readonly Piece[] {
  if (bounds.depth > maxDepth) throw statementFault(`Conditions lie in one another at most ${maxDepth} deep`)
  const alternatives: Piece[][] = [[]]
  for (const item of listOf(where, 'where', maxConditions)) {
    if (bounds.left-- <= 0) throw statementFault(`A statement has at most ${maxConditions} conditions`)
    const condition = recordOf(item, 'A condition')
    if (condition['or'] === true && alternatives.at(-1)?.length !== 0) alternatives.push([])
    alternatives.at(-1)?.push(compileOne(condition, find, bounds))
  }
  const [only = [], ...more] = alternatives
  return more.length === 0
    ? only
    : [
        joined(
          alternatives.map((pieces) => joined(pieces, ' and ')),
          ' or ',
        ),
      ]
}

function compileOne(condition: Readonly<Record<string, unknown>>, find: FindColumn, bounds: Bounds): Piece {
  const { group, not, column, operator, value } = condition
  if (group === undefined) {
    const piece = compileCondition(find(column), oneOf(operator, operators, 'The operator'), value)
    return not === true ? { ...piece, sql: `not (${piece.sql})` } : piece
  }
  const inner: Bounds = { left: bounds.left, depth: bounds.depth + 1 }
  const pieces = compileList(group, find, inner)
  bounds.left = inner.left
  if (pieces.length === 0) throw statementFault('A group of conditions has none')
  const piece = joined(pieces, ' and ')
  return not === true ? { ...piece, sql: `not ${piece.sql}` } : piece
}

function joined(pieces: readonly Piece[], between: string): Piece {
  return {
    sql: `(${pieces.map(({ sql }) => sql).join(between)})`,
    bindings: pieces.flatMap(({ bindings }) => bindings),
  }
}

function compileCondition(column: NamedColumn, operator: (typeof operators)[number], value: unknown): Piece {
  switch (operator) {
    case 'is null':
    case 'is not null':
      return { sql: `${column.sql} ${operator}`, bindings: [] }
    case 'in':
    case 'not in':
      return compileMembers(column, operator, value)
    case 'like':
    case 'ilike':
      if (column.family !== 'text' || column.isArray) throw statementFault(`${operator} needs a column of text`)
      return compileComparison(column, operator, value)
    case '=':
    case '!=':
      // What was forgotten is not what was meant to be null: it must not choose other rows.
      if (value === undefined) throw statementFault(`${operator} needs a value, which may be null`)
      if (value === null) {
        return { sql: `${column.sql} is ${operator === '=' ? '' : 'not '}null`, bindings: [] }
      }
      return compileComparison(column, operator === '=' ? '=' : '<>', value)
    default:
      return compileComparison(column, operator, value)
  }
}

function compileComparison(column: NamedColumn, operator: string, value: unknown): Piece {
  if (value === null || value === undefined) throw statementFault(`${operator} needs a value`)
  const cast = column.family === 'json' ? '::jsonb' : ''
  return { sql: `${column.sql}${cast} ${operator} ?${cast}`, bindings: [bindValue(column.name, column, value)] }
}

function compileMembers(column: NamedColumn, operator: string, value: unknown): Piece {
  const values = listOf(value, `The list of ${operator}`, maxList)
  if (!Array.isArray(value) || values.includes(null)) throw statementFault(`${operator} needs a list without null`)
  if (column.family === 'json' || column.isArray) throw statementFault(`${operator} needs a column of single values`)
  if (values.length === 0) return { sql: operator === 'in' ? 'false' : 'true', bindings: [] }
  const bindings = values.map((item) => bindValue(column.name, column, item))
  return { sql: `${column.sql} ${operator} (${bindings.map(() => '?').join(', ')})`, bindings }
}
