import type { Endpoint } from '../endpoint.ts'
import { acceptedKinds } from '../input.ts'
import type { BodyKind, Route, Schema } from '../route.ts'
import { describeRoute } from './describe-route.ts'
import { operationId } from './operation-id.ts'
import { parameters } from './parameters.ts'

const mediaTypes: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  offset: 'application/offset+octet-stream',
}

/** One route as an operation of OpenAPI, for callers who say who they are by one of these schemes. */
export function openApiOperation({ plugin, route }: Endpoint, schemes: readonly string[]): object {
  const asked = parameters(route)
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: describeRoute(route),
    tags: [plugin],
    security: security(route, schemes),
    ...(route.permission !== undefined && { 'x-permission': route.permission }),
    ...(route.aliasOf !== undefined && { 'x-alias-of': operationId({ method: route.method, path: route.aliasOf }) }),
    ...(asked.length > 0 && { parameters: asked }),
    ...requestBody(route),
    responses: responses(route),
  }
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

function security({ auth = 'user' }: Route, schemes: readonly string[]): readonly object[] {
  if (auth === 'none') return []
  const each = schemes.map((name) => ({ [name]: [] }))
  return auth === 'optional' ? [{}, ...each] : each
}
