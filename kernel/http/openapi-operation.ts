import type { Endpoint } from './endpoint.ts'
import { honoursIdempotencyKey } from './idempotency.ts'
import { acceptedKinds } from './input.ts'
import type { BodyKind, Route, Schema } from './route.ts'
import { routeName } from './route-name.ts'

const mediaTypes: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  offset: 'application/offset+octet-stream',
}

/** One route as an operation of OpenAPI. */
export function openApiOperation({ plugin, route }: Endpoint): object {
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)]
  return {
    operationId: routeName(route),
    summary: route.summary,
    tags: [plugin],
    security: security(route),
    ...(route.permission !== undefined && { 'x-permission': route.permission }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route),
    responses: responses(route),
  }
}

function pathParameters({ path, schema }: Route): readonly object[] {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => {
    return { name, in: 'path', required: true, schema: property(schema?.params, name) ?? { type: 'string' } }
  })
}

function queryParameters({ schema: { query } = {} }: Route): readonly object[] {
  if (typeof query !== 'object') return []
  const required = new Set(query.required)
  return Object.entries(query.properties ?? {}).map(([name, schema]) => {
    return { name, in: 'query', ...(required.has(name) && { required: true }), schema }
  })
}

function headerParameters(route: Route): readonly object[] {
  if (!honoursIdempotencyKey(route)) return []
  return [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 128 } }]
}

function requestBody(route: Route): object {
  const kinds = acceptedKinds(route)
  if (kinds.length === 0) return {}
  const schema = route.schema?.body ?? { type: 'object' }
  return { requestBody: { content: Object.fromEntries(kinds.map((kind) => [mediaTypes[kind], { schema }])) } }
}

function responses({ schema, errors = [], auth = 'user', grantsTokens }: Route): object {
  const usual = [...(auth === 'none' ? [] : [401, 403]), ...(grantsTokens ? [400] : [])]
  const statuses = [...usual, ...errors.map((code) => (code > 999 ? Math.floor(code / 10) : code))]
  const failures = [...new Set(statuses)].sort().map((status) => [status, { $ref: '#/components/responses/Error' }])
  return {
    '2XX': { description: 'It worked', content: { 'application/json': { schema: wrapped(schema?.response ?? {}) } } },
    ...(Object.fromEntries(failures) as object),
    default: { $ref: '#/components/responses/Error' },
  }
}

function wrapped(data: Schema): object {
  return {
    type: 'object',
    required: ['code', 'message', 'data', 'trace_id'],
    properties: { code: { const: 0 }, message: { type: 'string' }, data, trace_id: { type: 'string' } },
  }
}

function security({ auth = 'user' }: Route): readonly object[] {
  const schemes = [{ bearer: [] }, { api_key: [] }]
  if (auth === 'none') return []
  return auth === 'optional' ? [{}, ...schemes] : schemes
}

function property(schema: Schema | undefined, name: string): Schema | undefined {
  return typeof schema === 'object' ? schema.properties?.[name] : undefined
}
