import { append, create, freeze, isArray, ownKeys, then } from './guest-intrinsics.js'

/**
 * Collects a structured statement; awaiting it sends it. The host compiles it, so that nothing written here can be wrong in a
 * way that matters to anybody but the plugin.
 */
class Query {
  #send
  #statement
  #shape = (result) => result.rows

  constructor(send, table, tx) {
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
  #condition(column, operator, value) {
    const condition = create(null)
    condition.column = column
    condition.operator = operator
    if (value !== undefined) condition.value = value
    return this.#add('where', condition)
  }
  #write(operation, values, shape) {
    this.#statement.operation = operation
    if (values !== undefined) this.#statement.values = isArray(values) ? values : [values]
    this.#shape = shape
    return this
  }
  #aggregate(fn, column, as) {
    const aggregate = create(null)
    aggregate.fn = fn
    if (column !== undefined) aggregate.column = column
    aggregate.as = as ?? fn
    this.#shape = (result) =>
      this.#statement.groupBy || this.#statement.aggregates.length > 1 ? result.rows : result.rows[0]?.[aggregate.as]
    return this.#add('aggregates', aggregate)
  }
  select(...columns) {
    this.#statement.columns = columns
    return this
  }
  where(column, operator, value) {
    if (typeof column === 'object' && column !== null) {
      const names = ownKeys(column)
      for (let index = 0; index < names.length; index++) this.where(names[index], column[names[index]])
      return this
    }
    if (arguments.length > 2) return this.#condition(column, operator, value)
    if (operator === null) return this.#condition(column, 'is null')
    return this.#condition(column, '=', operator)
  }
  whereIn(column, values) {
    return this.#condition(column, 'in', values)
  }
  whereNotIn(column, values) {
    return this.#condition(column, 'not in', values)
  }
  whereNull(column) {
    return this.#condition(column, 'is null')
  }
  whereNotNull(column) {
    return this.#condition(column, 'is not null')
  }
  join(table, left, right) {
    const join = create(null)
    join.table = table
    join.left = left
    join.right = right
    return this.#add('join', join)
  }
  groupBy(...columns) {
    this.#statement.groupBy = columns
    return this
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
  insert(values) {
    return this.#write('insert', values, (result) => (isArray(values) ? result.rows : result.rows[0]))
  }
  upsert(values, ...conflict) {
    this.#statement.conflict = conflict
    return this.#write('upsert', values, (result) => (isArray(values) ? result.rows : result.rows[0]))
  }
  update(changes) {
    return this.#write('update', changes, (result) => result.count)
  }
  delete() {
    return this.#write('delete', undefined, (result) => result.count)
  }
  count(as) {
    return this.#aggregate('count', undefined, as)
  }
  sum(column, as) {
    return this.#aggregate('sum', column, as)
  }
  min(column, as) {
    return this.#aggregate('min', column, as)
  }
  max(column, as) {
    return this.#aggregate('max', column, as)
  }
  then(resolve, reject) {
    return then(then(this.#send('db.query', this.#statement), this.#shape), resolve, reject)
  }
}
freeze(Query)
freeze(Query.prototype)

/** A query on one table, within a transaction when its key is given. */
export function createQuery(send, table, tx) {
  return freeze(new Query(send, table, tx))
}
