import { isObject, type JsonObject } from '../wire/json-rpc.ts'
import { toHeaderText } from '../wire/header-text.ts'

const mark = 'x-mcp-header'
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const types: readonly unknown[] = ['string', 'integer', 'boolean']
const deepest = 8

interface MarkedParam {
  readonly header: string
  readonly path: readonly string[]
}

/** The parameters that a schema wants told in headers too; undefined where it marks what cannot be. */
export function markedParams(schema: JsonObject): readonly MarkedParam[] | undefined {
  const found: MarkedParam[] = []
  const walk = (node: JsonObject, path: readonly string[]): boolean => {
    const { properties } = node
    if (!isObject(properties) || path.length >= deepest) return true
    return Object.entries(properties).every(([name, each]) => {
      if (!isObject(each)) return true
      const header = each[mark]
      const at = [...path, name]
      if (header === undefined) return walk(each, at)
      if (typeof header !== 'string' || !token.test(header) || !types.includes(each['type'])) return false
      found.push({ header: header.toLowerCase(), path: at })
      return true
    })
  }
  const isWhole = walk(schema, [])
  const isUnique = new Set(found.map(({ header }) => header)).size === found.length
  return isWhole && isUnique && found.length === marksIn(schema) ? found : undefined
}

/** The headers of a call with this argument. */
export function paramHeaders(params: readonly MarkedParam[], argument: unknown): Readonly<Record<string, string>> {
  const entries = params.flatMap(({ header, path }) => {
    const value = path.reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), argument)
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
    return isPlain ? [[`mcp-param-${header}`, toHeaderText(String(value))] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Marks anywhere, also where none may be. */
function marksIn(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  return Object.entries(node).reduce(
    (count, [name, each]) => count + marksIn(each) + (name === mark && typeof each === 'string' ? 1 : 0),
    0,
  )
}
