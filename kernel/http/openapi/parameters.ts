import { honoursIdempotencyKey } from '../idempotency.ts'
import type { Route, Schema } from '../route.ts'

/** A parameter object of OpenAPI. */
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: true
  readonly schema: object
}

/** What a route is asked by: parts of its path, its query and headers. */
export function parameters(route: Route): readonly Parameter[] {
  return [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)]
}

function pathParameters({ path, schema }: Route): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => {
    const known = typeof schema?.params === 'object' ? schema.params.properties?.[name] : undefined
    const { description = idText(name), ...rest } = asObject(known ?? { type: 'string' })
    return { name, in: 'path', ...(description !== undefined && { description }), required: true, schema: rest }
  })
}

function queryParameters({ schema: { query } = {} }: Route): readonly Parameter[] {
  if (typeof query !== 'object') return []
  const required = new Set(query.required)
  return Object.entries(query.properties ?? {}).map(([name, known]) => {
    const { description, ...schema } = asObject(known)
    return {
      ...{ name, in: 'query' as const },
      ...(description !== undefined && { description }),
      ...(required.has(name) && { required: true as const }),
      schema,
    }
  })
}

function headerParameters(route: Route): readonly Parameter[] {
  return [...(route.respondsAsync ? [preferAsync] : []), ...idempotencyHeader(route)]
}

const preferAsync: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`respond-async`: 202 with `operation_id` and `Location` as soon as the work has begun',
  schema: { type: 'string' },
}

function idempotencyHeader(route: Route): readonly Parameter[] {
  if (!honoursIdempotencyKey(route)) return []
  const description =
    'Any text of the caller’s: the same request with the same key gets the first answer again, for a day'
  return [
    { name: 'Idempotency-Key', in: 'header', description, schema: { type: 'string', minLength: 1, maxLength: 128 } },
  ]
}

/** What is said of `user_id` where its schema says nothing: that it is the id of the user. */
function idText(name: string): string | undefined {
  return name.endsWith('_id') ? `Id of the ${name.slice(0, -3).replaceAll('_', ' ')}` : undefined
}

function asObject(schema: Schema): { readonly description?: string | undefined } & object {
  return typeof schema === 'object' ? schema : {}
}
