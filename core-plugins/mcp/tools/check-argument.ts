import { isObject, type JsonObject } from '../wire/json-rpc.ts'

/** One thing of an argument that its schema does not take. */
interface ArgumentFault {
  readonly field: string
  readonly rule: string
  readonly message: string
}

const deepest = 12
const mostFaults = 10

/**
 * What of an argument does not fit a schema that a stranger wrote: types, required and unknown members, and enumerations, without running
 * its patterns and without compiling it. The server checks the rest.
 */
export function argumentFaults(schema: JsonObject, value: unknown): readonly ArgumentFault[] {
  const faults: ArgumentFault[] = []
  check(schema, value, '', 0, faults)
  return faults.slice(0, mostFaults)
}

function check(schema: unknown, value: unknown, field: string, depth: number, faults: ArgumentFault[]): void {
  if (!isObject(schema) || depth > deepest || faults.length >= mostFaults) return
  const at = (rule: string, message: string, name = field): void =>
    void faults.push({ field: name === '' ? 'arguments' : name, rule, message })
  const { type, enum: values, properties, required, additionalProperties, items } = schema
  const types = Array.isArray(type) ? (type as readonly unknown[]) : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((each) => isOfType(each, value)))
    return at('type', `must be ${types.join(' or ')}`)
  if (Array.isArray(values) && !values.some((each) => JSON.stringify(each) === JSON.stringify(value)))
    at('enum', 'must be one of the values')
  if (Array.isArray(value)) {
    value.forEach((each, index) => check(items, each, `${field}[${String(index)}]`, depth + 1, faults))
    return
  }
  if (!isObject(value)) return
  const known = isObject(properties) ? properties : {}
  const nameOf = (name: string): string => (field === '' ? name : `${field}.${name}`)
  for (const name of Array.isArray(required) ? (required as readonly unknown[]) : [])
    if (typeof name === 'string' && !Object.hasOwn(value, name)) at('required', 'is required', nameOf(name))
  for (const [name, each] of Object.entries(value)) {
    if (Object.hasOwn(known, name)) check(known[name], each, nameOf(name), depth + 1, faults)
    else if (additionalProperties === false && schema['patternProperties'] === undefined)
      at('additionalProperties', 'is not known', nameOf(name))
  }
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type
    default:
      return true
  }
}
