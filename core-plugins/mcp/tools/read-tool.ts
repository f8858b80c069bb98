import { createHash } from 'node:crypto'
import { markedParams } from '../peer/param-headers.ts'
import type { ToolDefinition } from '../tables.ts'
import { isObject, type JsonObject } from '../wire/json-rpc.ts'
import { canonicalJson, cleanJson, depthOf } from './clean-json.ts'

/** A tool as a server says it. */
export interface SeenTool {
  readonly name: string
  readonly definition: ToolDefinition
  /** Of all that a model or an administrator is told of it. */
  readonly hash: string
  /** Why it cannot be used. */
  readonly unfit: string | null
}

const nameForm = /^[A-Za-z0-9_.-]{1,128}$/
const longestTitle = 200
const longestDescription = 8_000
const largestSchema = 32_768
const deepestSchema = 24
const noSchema: JsonObject = { type: 'object' }

/** Reads what a server says of a tool; undefined for what has no name that can be. */
export function readTool(said: unknown): SeenTool | undefined {
  if (!isObject(said) || typeof said['name'] !== 'string' || !nameForm.test(said['name'])) return undefined
  const { name } = said
  const { title, description, inputSchema, annotations } = said
  const told = textOf(title) || (isObject(annotations) ? textOf(annotations['title']) : '') || name
  const unfit = faultIn(description, inputSchema)
  const schema = unfit === null && isObject(inputSchema) ? inputSchema : noSchema
  const definition = cleanJson({
    ...{ title: told.slice(0, longestTitle), description: textOf(description).slice(0, longestDescription) },
    input_schema: schema,
  }) as ToolDefinition
  const whole = unfit === null ? definition : { definition, unfit }
  return { name, definition, hash: createHash('sha256').update(canonicalJson({ name, whole })).digest('hex'), unfit }
}

function faultIn(description: unknown, schema: unknown): string | null {
  if (textOf(description).length > longestDescription) return 'Its description is too long'
  if (!isObject(schema) || schema['type'] !== 'object') return 'Its schema is none of an object'
  if (depthOf(schema, deepestSchema) >= deepestSchema) return 'Its schema is too deep'
  const text = JSON.stringify(schema)
  if (text.length > largestSchema) return 'Its schema is too large'
  if (pointsElsewhere(schema)) return 'Its schema points to another place'
  if (markedParams(schema) === undefined) return 'Its schema marks parameters for headers that cannot be'
  return null
}

function pointsElsewhere(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(([name, each]) =>
    (name === '$ref' || name === '$dynamicRef') && typeof each === 'string'
      ? !each.startsWith('#')
      : pointsElsewhere(each),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
