import { bindValue, type Binding } from './column-value.ts'
import { compileConditions, type Piece } from './compile-conditions.ts'
import { compileSearch } from './compile-search.ts'
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
  /** By a value that is made for the answer: no row has it before. */
  readonly isNamed: boolean
}

/** Compiles the reading of rows: own tables alone, the tenant's rows alone, never more than the limit. */
export function compileSelect(statement: Parts, names: StatementNames, bounds: SelectBounds): CompiledSelect {
  const joins = listOf(statement['join'], 'join', maxJoins).map((join) => compileJoin(join, names))
  const aggregates = listOf(statement['aggregates'], 'aggregates', maxOrders).map((one) => compileAggregate(one, names))
  const groups = listOf(statement['groupBy'], 'groupBy', maxOrders).map((name) => names.column(name))
  const isGrouped = aggregates.length > 0 || groups.length > 0
  const search = compileSearch(statement['search'], names)
  if (search?.rank && isGrouped) throw statementFault('Beside aggregates a search has no rank')
  const ranks = search?.rank ? [search.rank.output] : []
  const columns = selectedColumns(statement, names, bounds, groups, aggregates.length > 0)
  const output = [...columns, ...aggregates, ...ranks]
  refuseDoubles(output)
  const orders = listOf(statement['orderBy'], 'orderBy', maxOrders).map((one) =>
    compileOrder(one, names, aggregates, ranks),
  )
  const conditions = [
    ...tenantConditions(names, bounds),
    ...compileConditions(statement['where'], (name) => names.column(name)),
    ...(search ? [search.condition] : []),
  ]
  const where = [...conditions, ...compileAfter(statement['after'], orders)]
  const having = compileHaving(statement, names, aggregates, isGrouped)
  const distinct =
    statement['distinct'] === true ? distinctColumns(statement, columns, isGrouped || ranks.length > 0) : []
  const grouped = [...groups, ...distinct].map((column) => column.sql)
  const limit = Math.min(integerOf(statement, 'limit', Number.MAX_SAFE_INTEGER) ?? bounds.rows, bounds.rows)
  const offset = integerOf(statement, 'offset', maxOffset) ?? 0
  const sql = [
    `select ${output.map(({ sql, name }) => `${sql} as ${quote(name)}`).join(', ')}`,
    `from ${names.source(names.main)}${joins.join('')}`,
    ...(where.length > 0 ? [`where ${where.map((piece) => piece.sql).join(' and ')}`] : []),
    ...(grouped.length > 0 ? [`group by ${grouped.join(', ')}`] : []),
    ...(having.length > 0 ? [`having ${having.map((piece) => piece.sql).join(' and ')}`] : []),
    ...(orders.length > 0 ? [`order by ${orders.map(({ sql, direction }) => `${sql} ${direction}`).join(', ')}`] : []),
    `limit ? offset ?`,
  ].join(' ')
  const values = [...where, ...having].flatMap((piece) => piece.bindings)
  return { sql, bindings: [...(search?.rank?.bindings ?? []), ...values, limit, offset], output }
}

/** Conditions on groups, which may name the aggregates. */
function compileHaving(
  statement: Parts,
  names: StatementNames,
  aggregates: readonly OutputColumn[],
  isGrouped: boolean,
): readonly Piece[] {
  const having = compileConditions(
    statement['having'],
    (name) => aggregates.find((aggregate) => aggregate.name === name)?.source ?? names.column(name),
  )
  if (having.length > 0 && !isGrouped) throw statementFault('having needs groupBy or an aggregate')
  return having
}

/** Rows that differ are groups of what was selected. */
function distinctColumns(
  statement: Parts,
  columns: readonly OutputColumn[],
  isGrouped: boolean,
): readonly NamedColumn[] {
  if (isGrouped) throw statementFault('distinct goes without groupBy, aggregates and ranks')
  if (listOf(statement['columns'], 'columns', maxColumns).length === 0)
    throw statementFault('distinct needs the columns that are selected')
  return columns.map(({ source }) => source)
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
  const asked = listOf(statement['columns'], 'columns', maxColumns)
    .filter((name) => name !== '*')
    .map((name) => readSelected(name, names))
  const isGrouped = isAggregated || groups.length > 0
  if (isGrouped && asked.some(({ column }) => !groups.some(({ sql }) => sql === column.sql))) {
    throw statementFault('Beside aggregates only the columns of groupBy can be selected')
  }
  const nameOf = (column: NamedColumn): string => asked.find((one) => one.column.sql === column.sql)?.as ?? column.name
  if (isGrouped) return groups.map((column) => shownAs({ ...column, name: nameOf(column) }))
  if (asked.length > 0) return asked.map(({ column, as }) => shownAs({ ...column, name: as ?? column.name }))
  const all = [...names.mainTable.columns.keys(), ...(tenantId === undefined ? ['tenant_id'] : [])]
  return all.map((name) => shownAs(names.column(name)))
}

/** `column`, or `column as name`. */
function readSelected(
  name: unknown,
  names: StatementNames,
): { readonly column: NamedColumn; readonly as: string | undefined } {
  const [, column, as] = (typeof name === 'string' && /^(\S+) as (\S+)$/.exec(name)) || []
  return { column: names.column(column ?? name), as: as === undefined ? undefined : checkAlias(as) }
}

function refuseDoubles(output: readonly OutputColumn[]): void {
  if (new Set(output.map(({ name }) => name)).size < output.length) throw statementFault('A column is selected twice')
}

/** Rows of two tenants never meet. */
function compileJoin(value: unknown, names: StatementNames): string {
  const { table, left, right, kind } = recordOf(value, 'A join')
  const word = oneOf(kind ?? 'inner', ['inner', 'left'], 'The kind of a join') === 'left' ? ' left join' : ' join'
  const short = names.add(table)
  const condition = `${names.column(left).sql} = ${names.column(right).sql}`
  return `${word} ${names.source(short)} on ${condition} and ${quote(short)}."tenant_id" = ${quote(names.main)}."tenant_id"`
}

function compileAggregate(value: unknown, names: StatementNames): OutputColumn {
  const { fn, column, as, distinct } = recordOf(value, 'An aggregate')
  const name = checkAlias(as)
  const aggregate = oneOf(fn, ['count', 'sum', 'avg', 'min', 'max'], 'The aggregate')
  if (aggregate === 'count') {
    const isAll = column === undefined || column === null
    const counted = isAll ? '*' : `${distinct === true ? 'distinct ' : ''}${names.column(column).sql}`
    return shownAs({ name, sql: `count(${counted})`, family: 'bigint', isArray: false, isNullable: false })
  }
  const source = names.column(column)
  const isOfNumbers = aggregate === 'sum' || aggregate === 'avg'
  if (source.isArray || (isOfNumbers && !summed.has(source.family))) {
    throw statementFault(`${aggregate} needs a column of ${isOfNumbers ? 'numbers' : 'single values'}`)
  }
  if (aggregate === 'avg') {
    return shownAs({ name, sql: `avg(${source.sql})::float8`, family: 'float', isArray: false, isNullable: true })
  }
  const family = aggregate === 'sum' ? summedFamily(source.family) : source.family
  return shownAs({ ...source, name, sql: `${aggregate}(${source.sql})`, family })
}

/** A sum of bigints is a numeric; of integers, a bigint. */
function summedFamily(family: NamedColumn['family']): NamedColumn['family'] {
  if (family === 'integer') return 'bigint'
  return family === 'bigint' ? 'numeric' : family
}

function compileOrder(
  value: unknown,
  names: StatementNames,
  aggregates: readonly OutputColumn[],
  ranks: readonly OutputColumn[],
): Order {
  const { column, direction } = recordOf(value, 'An order')
  const way = oneOf(direction ?? 'asc', ['asc', 'desc'], 'The direction')
  const aggregate = aggregates.find(({ name }) => name === column)
  const rank = ranks.find(({ name }) => name === column)
  // What is named in the answer has its values there already.
  if (rank) return { ...rank.source, sql: quote(rank.name), isNamed: true, direction: way }
  return { ...(aggregate?.source ?? names.column(column)), isNamed: aggregate !== undefined, direction: way }
}

/** `(a, b)` after `(x, y)`, each in its own direction: a > x or (a = x and b > y). */
function compileAfter(value: unknown, orders: readonly Order[]): readonly Piece[] {
  const values = listOf(value, 'after', maxOrders)
  if (values.length === 0) return []
  if (orders.some(({ isNamed }) => isNamed))
    throw statementFault('after needs columns in orderBy, no aggregates or ranks')
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
