import { compileSchemaCheck, type Schema } from '#kernel'
import type { Report } from '../fault.ts'
import { patternFault } from '../pattern-cost.ts'

type Node = Readonly<Record<string, unknown>>

/** Each part is checked against every part of an argument, so that there are not many of them. */
const MOST_NODES = 500
/** A pattern runs in the host's process on a text of the model's. */
const PATTERN_LENGTH = 4_096
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

/** Checks the JSON Schema of a tool: it compiles, and checking an argument with it costs next to nothing. */
export function checkToolSchema(field: string, schema: Node, report: Report): void {
  const faults: Parameters<Report>[] = []
  const nodes = walk(field, schema, (...fault) => faults.push(fault))
  if (nodes > MOST_NODES) faults.push([field, 'size', `A schema has at most ${MOST_NODES} parts.`])
  if (faults.length === 0) {
    try {
      compileSchemaCheck(schema as Schema & object, 'exact', 'at-once')
    } catch (error) {
      faults.push([field, 'schema', `This is no JSON Schema: ${(error as Error).message}.`])
    }
  }
  for (const fault of faults) report(...fault)
}

/** Answers how many parts there are. */
function walk(field: string, node: unknown, report: Report): number {
  if (typeof node === 'boolean') return 1
  if (!isNode(node)) {
    report(field, 'schema', 'This is no JSON Schema.')
    return 1
  }
  for (const keyword of Object.keys(node)) {
    if (!KEYWORDS.has(keyword)) report(`${field}.${keyword}`, 'keyword', 'The schema of a tool has no such keyword.')
  }
  checkTexts(field, node, report)
  const parts = [
    ...ONE.flatMap((name): [string, unknown][] => (node[name] === undefined ? [] : [[name, node[name]]])),
    ...MANY.flatMap((name) => entriesOf(name, node[name])),
    ...entriesOf('properties', node['properties']),
  ]
  return parts.reduce((sum, [name, part]) => sum + walk(`${field}.${name}`, part, report), 1)
}

function checkTexts(field: string, { pattern, format, maxLength }: Node, report: Report): void {
  if (format !== undefined && !FORMATS.has(String(format)))
    report(`${field}.format`, 'format', `The format is one of ${[...FORMATS].join(', ')}.`)
  if (pattern === undefined) return
  if (typeof maxLength !== 'number' || maxLength > PATTERN_LENGTH) {
    report(`${field}.maxLength`, 'required', `A text with a pattern needs a maxLength of at most ${PATTERN_LENGTH}.`)
    return
  }
  const fault = patternFault(String(pattern), maxLength)
  if (fault) report(`${field}.pattern`, 'pattern', fault)
}

function entriesOf(name: string, value: unknown): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, part]) => [`${name}.${key}`, part])
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
