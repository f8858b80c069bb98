import { compileSchemaCheck, type Schema } from '#kernel'
import type { Report } from '../fault.ts'
import { patternCost } from '../pattern-cost.ts'

type Node = Readonly<Record<string, unknown>>

/** Each part is checked against every part of an argument, so that there are not many of them. */
const mostNodes = 500
/** Values of all enumerations together. */
const mostOptions = 1_000
/** Parts and values of enumerations within lists: each is held against each item, of which an argument has some ten thousand. */
const mostWithinLists = 200
/** What all patterns together may take on one argument or answer, some tenth of a second. */
const mostSteps = 2 ** 25
/** Characters of all the texts in one: in a list there may be many. */
const mostText = 262_144
/** A pattern runs in the host's process on a text of the model's, which is no longer than what its cost is reckoned with. */
const mostPatternText = 4_096
const formats = new Set(['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'])
const ofOneSchema = ['items', 'additionalProperties', 'not']
const many = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
/** What models understand, without what makes a check go round in circles or compare everything with everything. */
const knownKeywords = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'properties', 'required', 'minProperties', 'maxProperties', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', ...ofOneSchema, ...many],
])

const plainKeywords = knownKeywords.difference(new Set(['$schema', 'pattern', 'format']))

/** Checks the JSON Schema of a tool: it compiles, and checking an argument with it costs next to nothing. */
export function checkToolSchema(field: string, schema: Node, report: Report): void {
  checkSchema(field, schema, report, knownKeywords)
}

/** Checks a JSON Schema that holds a preference: like a tool's, without texts of a form. Answers whether it can be used. */
export function checkPlainSchema(field: string, schema: Node, report: Report): boolean {
  return checkSchema(field, schema, report, plainKeywords)
}

function checkSchema(field: string, schema: Node, report: Report, keywords: ReadonlySet<string>): boolean {
  const faults: Parameters<Report>[] = []
  const { nodes, options, steps, withinLists } = walk(
    { field, node: schema, isRepeated: false },
    keywords,
    (...fault) => faults.push(fault),
  )
  if (nodes > mostNodes) faults.push([field, 'size', `A schema has at most ${mostNodes} parts.`])
  if (options > mostOptions) faults.push([field, 'size', `The enums of a schema have at most ${mostOptions} values.`])
  if (withinLists > mostWithinLists)
    faults.push([field, 'size', `Within lists a schema has at most ${mostWithinLists} parts and values of enums.`])
  if (steps > mostSteps)
    faults.push([
      field,
      'pattern',
      'The patterns could take too long: anchor them with ^, repeat less, or set maxLength.',
    ])
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
    if (ofOneSchema.includes(name)) return [name, bound(part)]
    if (many.includes(name) && Array.isArray(part)) return [name, part.map(bound)]
    if (name !== 'properties' || !isNode(part)) return [name, part]
    return [name, Object.fromEntries(Object.entries(part).map(([key, value]) => [key, bound(value)]))]
  })
  const { pattern, maxLength = mostPatternText } = schema
  const most = pattern === undefined ? {} : { maxLength: Math.min(Number(maxLength), mostPatternText) }
  return { ...Object.fromEntries(inner), ...most }
}

/** What a schema costs whoever checks with it. */
interface Cost {
  readonly nodes: number
  readonly options: number
  readonly steps: number
  readonly withinLists: number
}

interface Part {
  readonly field: string
  readonly node: unknown
  /** Whether there may be many of what it is checked against. */
  readonly isRepeated: boolean
}

function walk({ field, node, isRepeated }: Part, keywords: ReadonlySet<string>, report: Report): Cost {
  const least: Cost = { nodes: 1, options: 0, steps: 0, withinLists: isRepeated ? 1 : 0 }
  if (typeof node === 'boolean') return least
  if (!isNode(node)) {
    report(field, 'schema', 'This is no JSON Schema.')
    return least
  }
  for (const keyword of Object.keys(node)) {
    if (!keywords.has(keyword))
      report(`${field}.${keyword}`, 'keyword', 'A schema in a manifest has no such keyword here.')
  }
  const parts = [
    ...ofOneSchema.flatMap((name): [string, unknown][] => (node[name] === undefined ? [] : [[name, node[name]]])),
    ...many.flatMap((name) => entriesOf(name, node[name])),
    ...entriesOf('properties', node['properties']),
  ]
  const options = Array.isArray(node['enum']) ? node['enum'].length : 0
  const own: Cost = {
    nodes: 1,
    options,
    withinLists: isRepeated ? 1 + options : 0,
    steps: keywords.has('pattern') ? checkTexts(field, node, isRepeated, report) : 0,
  }
  return parts
    .map(([name, part]) => {
      const isMany = isRepeated || name === 'items' || name === 'additionalProperties'
      return walk({ field: `${field}.${name}`, node: part, isRepeated: isMany }, keywords, report)
    })
    .reduce(add, own)
}

function add(one: Cost, other: Cost): Cost {
  return {
    nodes: one.nodes + other.nodes,
    options: one.options + other.options,
    steps: one.steps + other.steps,
    withinLists: one.withinLists + other.withinLists,
  }
}

/** Answers how many steps the pattern may take. */
function checkTexts(field: string, { pattern, format, maxLength }: Node, isRepeated: boolean, report: Report): number {
  if (format !== undefined && !(typeof format === 'string' && formats.has(format)))
    report(`${field}.format`, 'format', `The format is one of ${[...formats].join(', ')}.`)
  if (typeof pattern !== 'string') return 0
  const length = Math.min(Math.max(Number(maxLength ?? mostPatternText), 1), mostPatternText)
  const cost = patternCost(pattern, length)
  if ('steps' in cost) return cost.steps * (isRepeated ? Math.ceil(mostText / length) : 1)
  report(`${field}.pattern`, 'pattern', cost.fault)
  return 0
}

function entriesOf(name: string, value: unknown): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, part]) => [`${name}.${key}`, part])
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
