import { append, create, freeze, ownKeys } from './guest-intrinsics.js'

let listOf

/** Where conditions are collected: those of a statement, or of a group in brackets. */
export class Conditions {
  #list = []
  #put(condition, isAlternative, isNot) {
    if (isAlternative) condition.or = true
    if (isNot) condition.not = true
    append(this.#list, condition)
    return this
  }
  #one(parameters, isAlternative, isNot) {
    const column = parameters[0]
    if (typeof column === 'function') {
      const group = freeze(new Conditions())
      column(group)
      return this.#put(grouped(listOf(group)), isAlternative, isNot)
    }
    if (typeof column === 'object' && column !== null) {
      const names = ownKeys(column)
      const list = []
      for (let index = 0; index < names.length; index++) append(list, equal(names[index], column[names[index]]))
      return this.#put(list.length === 1 ? list[0] : grouped(list), isAlternative, isNot)
    }
    if (parameters.length < 3) return this.#put(equal(column, parameters[1]), isAlternative, isNot)
    return this.#put(compared(column, parameters[1], parameters[2]), isAlternative, isNot)
  }
  where(...parameters) {
    return this.#one(parameters, false, false)
  }
  orWhere(...parameters) {
    return this.#one(parameters, true, false)
  }
  whereNot(...parameters) {
    return this.#one(parameters, false, true)
  }
  whereIn(column, values) {
    return this.#put(compared(column, 'in', values), false, false)
  }
  whereNotIn(column, values) {
    return this.#put(compared(column, 'not in', values), false, false)
  }
  whereNull(column) {
    return this.#put(compared(column, 'is null'), false, false)
  }
  whereNotNull(column) {
    return this.#put(compared(column, 'is not null'), false, false)
  }
  static {
    listOf = (conditions) => conditions.#list
  }
}
freeze(Conditions)
freeze(Conditions.prototype)

/** What was collected. */
export const conditionsOf = (conditions) => listOf(conditions)

function grouped(list) {
  const condition = create(null)
  condition.group = list
  return condition
}

/** A condition on one column. */
export function compared(column, operator, value) {
  const condition = create(null)
  condition.column = column
  condition.operator = operator
  if (value !== undefined) condition.value = value
  return condition
}

function equal(column, value) {
  return value === null ? compared(column, 'is null') : compared(column, '=', value)
}
