import { compileSchemaCheck, type Schema } from '#kernel'
import type { Report } from '../fault.ts'
import { patternFault } from '../pattern-cost.ts'

type Node = Readonly<Record<string, unknown>>

/** Each part is checked against every part of an argument, so that there are not many of them. */
const MOST_NODES = 500
/** A pattern runs in the host's process on a text of the model's, which is no longer than what its cost is reckoned with. */
const MOST_PATTERN_TEXT = 4_096
const FORMATS = new Set(['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'])
const ONE = ['items', 'additionalProperties', 'not']
const MANY = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
/** What models understand, without what makes a check go round in circles or compare everything with everything. */
const KEYWORDS = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'properties', 'required', 'minProperties', 'maxProperties', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', ...ONE, ...MANY],
])

const PLAIN_KEYWORDS = KEYWORDS.difference(new Set(['$schema', 'pattern', 'format']))

/** Checks the JSON Schema of a tool: it compiles, and checking an argument with it costs next to nothing. */
export function checkToolSchema(field: string, schema: Node, report: Report): void {
  checkSchema(field, schema, report, KEYWORDS)
}

/** Checks a JSON Schema that holds a preference: like a tool's, without texts of a form. Answers whether it can be used. */
export function checkPlainSchema(field: string, schema: Node, report: Report): boolean {
  return checkSchema(field, schema, report, PLAIN_KEYWORDS)
}

function checkSchema(field: string, schema: Node, report: Report, keywords: ReadonlySet<string>): boolean {
  const faults: Parameters<Report>[] = []
  const nodes = walk(field, schema, keywords, (...fault) => faults.push(fault))
  if (nodes > MOST_NODES) faults.push([field, 'size', `A schema has at most ${MOST_NODES} parts.`])
  if (faults.length === 0) {
    try {
      compileSchemaCheck(schema, 'exact', 'at-once')
    } catch (error) {
      faults.push([field, 'schema', `This is no JSON Schema: ${(error as Error).message}.`])
    }
  }
  for (const fault of faults) report(...fault)
  return faults.length === 0
}

/** The schema that an argument is checked with: a text with a pattern has 4,096 characters at most. */
export function boundToolSchema(schema: Node): Schema & object {
  const bound = (part: unknown): unknown => (isNode(part) ? boundToolSchema(part) : part)
  const inner = Object.entries(schema).map(([name, part]): [string, unknown] => {
    if (ONE.includes(name)) return [name, bound(part)]
    if (MANY.includes(name) && Array.isArray(part)) return [name, part.map(bound)]
    if (name !== 'properties' || !isNode(part)) return [name, part]
    return [name, Object.fromEntries(Object.entries(part).map(([key, value]) => [key, bound(value)]))]
  })
  const { pattern, maxLength = MOST_PATTERN_TEXT } = schema
  const most = pattern === undefined ? {} : { maxLength: Math.min(Number(maxLength), MOST_PATTERN_TEXT) }
  return { ...Object.fromEntries(inner), ...most }
}

/** Answers how many parts there are. */
function walk(field: string, node: unknown, keywords: ReadonlySet<string>, report: Report): number {
  if (typeof node === 'boolean') return 1
  if (!isNode(node)) {
    report(field, 'schema', 'This is no JSON Schema.')
    return 1
  }
  for (const keyword of Object.keys(node)) {
    if (!keywords.has(keyword))
      report(`${field}.${keyword}`, 'keyword', 'A schema in a manifest has no such keyword here.')
  }
  if (keywords.has('pattern')) checkTexts(field, node, report)
  const parts = [
    ...ONE.flatMap((name): [string, unknown][] => (node[name] === undefined ? [] : [[name, node[name]]])),
    ...MANY.flatMap((name) => entriesOf(name, node[name])),
    ...entriesOf('properties', node['properties']),
  ]
  return parts.reduce((sum, [name, part]) => sum + walk(`${field}.${name}`, part, keywords, report), 1)
}

function checkTexts(field: string, { pattern, format, maxLength }: Node, report: Report): void {
  if (format !== undefined && !(typeof format === 'string' && FORMATS.has(format)))
    report(`${field}.format`, 'format', `The format is one of ${[...FORMATS].join(', ')}.`)
  if (typeof pattern !== 'string') return
  const fault = patternFault(pattern, Number(maxLength ?? MOST_PATTERN_TEXT))
  if (fault) report(`${field}.pattern`, 'pattern', fault)
}

function entriesOf(name: string, value: unknown): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, part]) => [`${name}.${key}`, part])
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
