type Node = Readonly<Record<string, unknown>>

const anything = 'Json'
const anyMember = 'readonly [key: string]: Json | undefined'

/** Whether a value is given to who fills in the defaults, or comes from there. */
type Side = 'input' | 'output'

/** The type of the values that a JSON Schema takes; `Json` where it says too little, and wider where a type cannot say it. */
export function schemaType(schema: unknown, side: Side): string {
  if (schema === false) return 'never'
  if (!isNode(schema)) return anything
  const typeOf = (part: unknown): string => schemaType(part, side)
  const parts = [
    ...(own(schema, side) ?? []),
    ...['anyOf', 'oneOf'].flatMap((keyword) => {
      const ways = schema[keyword]
      return Array.isArray(ways) ? [unionOf(ways.map(typeOf))] : []
    }),
    ...(Array.isArray(schema['allOf']) ? schema['allOf'].map(typeOf) : []),
  ].filter((part) => part !== anything)
  const [only = anything] = parts
  return parts.length < 2 ? only : `(${parts.join(' & ')})`
}

/** What a schema says without those that it is put together of; undefined where that is nothing. */
function own(schema: Node, side: Side): readonly string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema['const'])]
  if (Array.isArray(schema['enum'])) return [unionOf(schema['enum'].map((value) => JSON.stringify(value)))]
  const { type } = schema
  if (Array.isArray(type)) return [unionOf(type.map((one) => typed(String(one), schema, side)))]
  if (typeof type === 'string') return [typed(type, schema, side)]
  if (isNode(schema['properties']) || Array.isArray(schema['required'])) return [objectType(schema, side)]
  return 'items' in schema || 'prefixItems' in schema ? [listType(schema, side)] : undefined
}

function typed(type: string, schema: Node, side: Side): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return listType(schema, side)
    case 'object':
      return objectType(schema, side)
    default:
      return anything
  }
}

function listType({ items, prefixItems }: Node, side: Side): string {
  if (!Array.isArray(prefixItems)) return `readonly ${inBrackets(schemaType(items, side))}[]`
  const first = prefixItems.map((item) => `${inBrackets(schemaType(item, side))}?`)
  const rest = items === false ? [] : [`...${inBrackets(schemaType(items, side))}[]`]
  return `readonly [${[...first, ...rest].join(', ')}]`
}

/** Members that the schema does not name are none to write down, even where more may come. */
function objectType({ properties, required, additionalProperties: more }: Node, side: Side): string {
  const named = isNode(properties) ? properties : {}
  const needed = Array.isArray(required) ? required.map(String) : []
  const names = [...new Set([...Object.keys(named), ...needed])]
  const members = names.map((name) => {
    const part = Object.hasOwn(named, name) ? named[name] : true
    const isFilledIn = side === 'input' && isNode(part) && 'default' in part
    return `readonly ${JSON.stringify(name)}${needed.includes(name) && !isFilledIn ? '' : '?'}: ${schemaType(part, side)}`
  })
  if (names.length === 0 && more !== false) {
    const type = isNode(more) ? `readonly [key: string]: ${schemaType(more, side)} | undefined` : anyMember
    return `{ ${type} }`
  }
  if (names.length === 0) return 'Record<never, never>'
  return `{ ${[...members, ...(more === true || isNode(more) ? [anyMember] : [])].join('; ')} }`
}

function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)]
  if (different.length === 0) return 'never'
  return different.includes(anything) ? anything : inBrackets(different.join(' | '))
}

function inBrackets(type: string): string {
  return /[|&]|^readonly /.test(type) ? `(${type})` : type
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
