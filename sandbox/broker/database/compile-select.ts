import { bindValue, type Binding } from './column-value.ts'
import { compileConditions, type Piece } from './compile-conditions.ts'
import { shownAs, type OutputColumn } from './output-column.ts'
import { listOf, oneOf, recordOf, statementFault } from './statement-fault.ts'
import { checkAlias, quote, type NamedColumn, type StatementNames } from './statement-names.ts'

const maxColumns = 200
const maxJoins = 4
const maxOrders = 8
const maxOffset = 1_000_000
const summed: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'numeric'])

/** A select, and the columns that its rows have. */
interface CompiledSelect extends Piece {
  readonly output: readonly OutputColumn[]
}

/** What a select is held to. */
interface SelectBounds {
  readonly rows: number
  /** Undefined = the platform, which reads every tenant's rows. */
  readonly tenantId: number | undefined
}

type Parts = Readonly<Record<string, unknown>>
interface Order extends NamedColumn {
  readonly direction: 'asc' | 'desc'
}

/** Compiles the reading of rows: own tables alone, the tenant's rows alone, never more than the limit. */
export function compileSelect(statement: Parts, names: StatementNames, bounds: SelectBounds): CompiledSelect {
  const joins = listOf(statement['join'], 'join', maxJoins).map((join) => compileJoin(join, names))
  const aggregates = listOf(statement['aggregates'], 'aggregates', maxOrders).map((one) => compileAggregate(one, names))
  const groups = listOf(statement['groupBy'], 'groupBy', maxOrders).map((name) => names.column(name))
  const output = [...selectedColumns(statement, names, bounds, groups, aggregates.length > 0), ...aggregates]
  refuseDoubles(output)
  const orders = listOf(statement['orderBy'], 'orderBy', maxOrders).map((one) => compileOrder(one, names, aggregates))
  const conditions = [...tenantConditions(names, bounds), ...compileConditions(statement['where'], names)]
  const after = compileAfter(statement['after'], orders)
  const where = [...conditions, ...after]
  const limit = Math.min(integerOf(statement, 'limit', Number.MAX_SAFE_INTEGER) ?? bounds.rows, bounds.rows)
  const offset = integerOf(statement, 'offset', maxOffset) ?? 0
  const sql = [
    `select ${output.map(({ sql, name }) => `${sql} as ${quote(name)}`).join(', ')}`,
    `from ${names.source(names.main)}${joins.join('')}`,
    ...(where.length > 0 ? [`where ${where.map((piece) => piece.sql).join(' and ')}`] : []),
    ...(groups.length > 0 ? [`group by ${groups.map((column) => column.sql).join(', ')}`] : []),
    ...(orders.length > 0 ? [`order by ${orders.map(({ sql, direction }) => `${sql} ${direction}`).join(', ')}`] : []),
    `limit ? offset ?`,
  ].join(' ')
  return { sql, bindings: [...where.flatMap((piece) => piece.bindings), limit, offset], output }
}

/** The fence within the statement; row-level security is the one behind it. */
function tenantConditions(names: StatementNames, { tenantId }: SelectBounds): readonly Piece[] {
  return tenantId === undefined ? [] : [{ sql: `${quote(names.main)}."tenant_id" = ?`, bindings: [tenantId] }]
}

function selectedColumns(
  statement: Parts,
  names: StatementNames,
  { tenantId }: SelectBounds,
  groups: readonly NamedColumn[],
  isAggregated: boolean,
): readonly OutputColumn[] {
  const asked = listOf(statement['columns'], 'columns', maxColumns).filter((name) => name !== '*')
  const isGrouped = isAggregated || groups.length > 0
  if (isGrouped && asked.some((name) => !groups.some((group) => group.name === name))) {
    throw statementFault('Beside aggregates only the columns of groupBy can be selected')
  }
  if (isGrouped) return groups.map((column) => shownAs(column))
  if (asked.length > 0) return asked.map((name) => shownAs(names.column(name)))
  const all = [...names.mainTable.columns.keys(), ...(tenantId === undefined ? ['tenant_id'] : [])]
  return all.map((name) => shownAs(names.column(name)))
}

function refuseDoubles(output: readonly OutputColumn[]): void {
  if (new Set(output.map(({ name }) => name)).size < output.length) throw statementFault('A column is selected twice')
}

/** Rows of two tenants never meet. */
function compileJoin(value: unknown, names: StatementNames): string {
  const { table, left, right } = recordOf(value, 'A join')
  const short = names.add(table)
  const condition = `${names.column(left).sql} = ${names.column(right).sql}`
  return ` join ${names.source(short)} on ${condition} and ${quote(short)}."tenant_id" = ${quote(names.main)}."tenant_id"`
}

function compileAggregate(value: unknown, names: StatementNames): OutputColumn {
  const { fn, column, as } = recordOf(value, 'An aggregate')
  const name = checkAlias(as)
  const aggregate = oneOf(fn, ['count', 'sum', 'min', 'max'], 'The aggregate')
  if (aggregate === 'count') {
    const counted = column === undefined || column === null ? '*' : names.column(column).sql
    return shownAs({ name, sql: `count(${counted})`, family: 'bigint', isArray: false, isNullable: false })
  }
  const source = names.column(column)
  if (source.isArray || (aggregate === 'sum' && !summed.has(source.family))) {
    throw statementFault(`${aggregate} needs a column of ${aggregate === 'sum' ? 'numbers' : 'single values'}`)
  }
  const family = aggregate === 'sum' ? summedFamily(source.family) : source.family
  return shownAs({ ...source, name, sql: `${aggregate}(${source.sql})`, family })
}

/** A sum of bigints is a numeric; of integers, a bigint. */
function summedFamily(family: NamedColumn['family']): NamedColumn['family'] {
  if (family === 'integer') return 'bigint'
  return family === 'bigint' ? 'numeric' : family
}

function compileOrder(value: unknown, names: StatementNames, aggregates: readonly OutputColumn[]): Order {
  const { column, direction } = recordOf(value, 'An order')
  const way = oneOf(direction ?? 'asc', ['asc', 'desc'], 'The direction')
  const aggregate = aggregates.find(({ name }) => name === column)
  return { ...(aggregate?.source ?? names.column(column)), direction: way }
}

/** `(a, b)` after `(x, y)`, each in its own direction: a > x or (a = x and b > y). */
function compileAfter(value: unknown, orders: readonly Order[]): readonly Piece[] {
  const values = listOf(value, 'after', maxOrders)
  if (values.length === 0) return []
  if (values.length !== orders.length) throw statementFault('after needs a value for each column of orderBy')
  const bindings: Binding[] = []
  const alternatives = orders.map((order, index) => {
    const equals = orders.slice(0, index + 1).map((column, position) => {
      const bound = bindValue(column.name, column, values[position])
      if (bound === null) throw statementFault('after needs values other than null')
      bindings.push(bound)
      const operator = position < index ? '=' : order.direction === 'asc' ? '>' : '<'
      return `${column.sql} ${operator} ?`
    })
    return `(${equals.join(' and ')})`
  })
  return [{ sql: `(${alternatives.join(' or ')})`, bindings }]
}

function integerOf(statement: Parts, name: string, max: number): number | undefined {
  const value = statement[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value
  throw statementFault(`${name} must be a whole number from 0 to ${max}`)
}
