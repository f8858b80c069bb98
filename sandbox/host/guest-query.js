import { compared, Conditions, conditionsOf } from './guest-conditions.js'
import { PluginError } from './guest-error.js'
import { append, create, freeze, IntrinsicError, isArray, parse, stringify, then } from './guest-intrinsics.js'

/** A page and what lies behind it are at most what a statement gives. */
const largestPage = 999
let statementOf
let shapeOf

/**
 * Collects a structured statement; awaiting it sends it. The host compiles it, so that nothing written here can be wrong in a
 * way that matters to anybody but the plugin.
 */
class Query extends Conditions {
  #send
  #statement
  /** Where the author began it. */
  #place = new IntrinsicError()
  #shape = (result) => result.rows

  constructor(send, table, tx) {
    super()
    this.#send = send
    this.#statement = create(null)
    this.#statement.table = table
    this.#statement.operation = 'select'
    if (tx !== undefined) this.#statement.tx = tx
  }
  #add(part, value) {
    this.#statement[part] ??= []
    append(this.#statement[part], value)
    return this
  }
  #write(operation, values, shape) {
    this.#statement.operation = operation
    if (values !== undefined) this.#statement.values = isArray(values) ? values : [values]
    this.#shape = this.#statement.returning && !isNew(operation) ? allRows : shape
    return this
  }
  #aggregate(fn, column, as, isDistinct) {
    const aggregate = create(null)
    aggregate.fn = fn
    if (column !== undefined) aggregate.column = column
    if (isDistinct) aggregate.distinct = true
    aggregate.as = as ?? fn
    this.#shape = (result) =>
      this.#statement.groupBy || this.#statement.aggregates.length > 1 ? result.rows : result.rows[0]?.[aggregate.as]
    return this.#add('aggregates', aggregate)
  }
  #join(kind, table, left, right) {
    const join = create(null)
    join.kind = kind
    join.table = table
    join.left = left
    join.right = right
    return this.#add('join', join)
  }
  select(...columns) {
    this.#statement.columns = columns
    return this
  }
  distinct(...columns) {
    this.#statement.distinct = true
    if (columns.length > 0) this.#statement.columns = columns
    return this
  }
  join(table, left, right) {
    return this.#join('inner', table, left, right)
  }
  leftJoin(table, left, right) {
    return this.#join('left', table, left, right)
  }
  search(columns, words, options) {
    const search = create(null)
    search.columns = isArray(columns) ? columns : [columns]
    search.text = words
    search.language = options?.language
    search.match = options?.match
    search.prefix = options?.prefix
    search.as = options?.as
    this.#statement.search = search
    return this
  }
  groupBy(...columns) {
    this.#statement.groupBy = columns
    return this
  }
  having(...parameters) {
    const isEqual = parameters.length < 3
    return this.#add('having', compared(parameters[0], isEqual ? '=' : parameters[1], parameters[isEqual ? 1 : 2]))
  }
  orderBy(column, direction) {
    const order = create(null)
    order.column = column
    order.direction = direction ?? 'asc'
    return this.#add('orderBy', order)
  }
  limit(count) {
    this.#statement.limit = count
    return this
  }
  offset(count) {
    this.#statement.offset = count
    return this
  }
  after(...values) {
    this.#statement.after = values
    return this
  }
  first() {
    this.#shape = (result) => result.rows[0]
    return this.limit(1)
  }
  page(size, cursor) {
    if (!(size >= 1 && size <= largestPage)) throw new PluginError('invalid', `A page has 1 to ${largestPage} rows`)
    if (cursor !== undefined && cursor !== null) this.#statement.after = readCursor(cursor)
    this.#shape = (result) => pageOf(result.rows, size, this.#statement.orderBy)
    return this.limit(size + 1)
  }
  insert(values) {
    return this.#write('insert', values, (result) => (isArray(values) ? result.rows : result.rows[0]))
  }
  upsert(values, ...conflict) {
    this.#statement.conflict = conflict
    return this.#write('upsert', values, (result) => (isArray(values) ? result.rows : result.rows[0]))
  }
  update(changes) {
    return this.#write('update', changes, changedRows)
  }
  increment(column, by) {
    this.#statement.increments ??= create(null)
    this.#statement.increments[column] = by ?? 1
    return this.#write('update', undefined, changedRows)
  }
  decrement(column, by) {
    return this.increment(column, -(by ?? 1))
  }
  delete() {
    return this.#write('delete', undefined, changedRows)
  }
  returning(...columns) {
    this.#statement.returning = columns.length > 0 ? columns : ['*']
    if (!isNew(this.#statement.operation)) this.#shape = allRows
    return this
  }
  count(as) {
    return this.#aggregate('count', undefined, as)
  }
  countDistinct(column, as) {
    return this.#aggregate('count', column, as, true)
  }
  sum(column, as) {
    return this.#aggregate('sum', column, as)
  }
  avg(column, as) {
    return this.#aggregate('avg', column, as)
  }
  min(column, as) {
    return this.#aggregate('min', column, as)
  }
  max(column, as) {
    return this.#aggregate('max', column, as)
  }
  then(resolve, reject) {
    return then(then(this.#send('db.query', statementOf(this), this.#place), this.#shape), resolve, reject)
  }
  static {
    statementOf = (query) => {
      const list = conditionsOf(query)
      if (list.length > 0) query.#statement.where = list
      return query.#statement
    }
    shapeOf = (query) => query.#shape
  }
}
freeze(Query)
freeze(Query.prototype)

const allRows = (result) => result.rows
const changedRows = (result) => result.count
const isNew = (operation) => operation === 'insert' || operation === 'upsert'

function readCursor(cursor) {
  try {
    return parse(cursor)
  } catch {
    throw new PluginError('bad_request', 'The cursor is none of a page')
  }
}

/** The rows of a page, and what the next one is asked for with. */
function pageOf(rows, size, orderBy) {
  const page = { rows: [], next: null }
  for (let index = 0; index < rows.length && index < size; index++) append(page.rows, rows[index])
  if (rows.length <= size) return page
  const values = []
  for (let index = 0; index < (orderBy?.length ?? 0); index++) append(values, rows[size - 1][orderBy[index].column])
  for (let index = 0; index < values.length || index === 0; index++)
    if (values[index] === undefined || values[index] === null)
      throw new PluginError('bad_request', 'A page needs orderBy, by columns that are selected and never null')
  page.next = stringify(values)
  return page
}

/** A query on one table, within a transaction when its key is given. */
export function createQuery(send, table, tx) {
  return freeze(new Query(send, table, tx))
}

/** Sends several queries at once, which are done in order and all or none; the answers come in the same order. */
export function sendBatch(send, queries, tx) {
  const place = new IntrinsicError()
  const batch = create(null)
  batch.statements = []
  for (let index = 0; index < queries.length; index++) append(batch.statements, statementOf(queries[index]))
  if (tx !== undefined) batch.tx = tx
  return then(send('db.batch', batch, place), (results) => {
    const answers = []
    for (let index = 0; index < results.length; index++) append(answers, shapeOf(queries[index])(results[index]))
    return answers
  })
}
