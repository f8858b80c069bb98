import { bindValue, type Binding } from './column-value.ts'
import { listOf, oneOf, recordOf, statementFault } from './statement-fault.ts'
import type { NamedColumn, StatementNames } from './statement-names.ts'

/** A piece of SQL with the values for its question marks. */
export interface Piece {
  readonly sql: string
  readonly bindings: readonly Binding[]
}

const operators = [
  ...(['=', '!=', '<', '<=', '>', '>=', 'like', 'ilike', 'in', 'not in', 'is null', 'is not null'] as const),
] as const
const maxConditions = 50
const maxList = 1_000

/** The conditions of a statement, each a piece; they are joined by AND. */
export function compileConditions(where: unknown, names: StatementNames): readonly Piece[] {
  return listOf(where, 'where', maxConditions).map((condition) => {
    const { column, operator, value } = recordOf(condition, 'A condition')
    return compileCondition(names.column(column), oneOf(operator, operators, 'The operator'), value)
  })
}

function compileCondition(column: NamedColumn, operator: (typeof operators)[number], value: unknown): Piece {
  switch (operator) {
    case 'is null':
    case 'is not null':
      return { sql: `${column.sql} ${operator}`, bindings: [] }
    case 'in':
    case 'not in':
      return compileList(column, operator, value)
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

function compileList(column: NamedColumn, operator: string, value: unknown): Piece {
  const values = listOf(value, `The list of ${operator}`, maxList)
  if (!Array.isArray(value) || values.includes(null)) throw statementFault(`${operator} needs a list without null`)
  if (column.family === 'json' || column.isArray) throw statementFault(`${operator} needs a column of single values`)
  if (values.length === 0) return { sql: operator === 'in' ? 'false' : 'true', bindings: [] }
  const bindings = values.map((item) => bindValue(column.name, column, item))
  return { sql: `${column.sql} ${operator} (${bindings.map(() => '?').join(', ')})`, bindings }
}
