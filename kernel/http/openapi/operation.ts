import type { Endpoint } from '../endpoint.ts'
import { acceptedKinds } from '../input.ts'
import type { BodyKind, Route } from '../route.ts'
import { describeRoute } from './describe-route.ts'
import type { MenuFinder } from './menu-finder.ts'
import { operationId } from './operation-id.ts'
import { parameters } from './parameters.ts'
import { responses } from './responses.ts'

const mediaTypes: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  offset: 'application/offset+octet-stream',
  file: 'application/octet-stream',
}

/** One route as an operation of OpenAPI, for callers who say who they are by one of these schemes. */
export function openApiOperation(
  { plugin, route }: Endpoint,
  { schemes, menuOf }: { readonly schemes: readonly string[]; readonly menuOf: MenuFinder },
): object {
  const asked = parameters(route)
  const menu = menuOf(route)
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: describeRoute(route),
    tags: [plugin],
    security: security(route, schemes),
    ...(route.permission !== undefined && { 'x-permission': route.permission }),
    ...(menu !== undefined && { 'x-menu': menu }),
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
  const example = typeof schema === 'object' && kinds.includes('json') ? schema.examples?.[0] : undefined
  const content = kinds.map((kind) => {
    const isShown = kind === 'json' && example !== undefined
    return [mediaTypes[kind], { schema, ...(isShown && { example }) }]
  })
  return { requestBody: { content: Object.fromEntries(content) as object } }
}

function security({ auth = 'user' }: Route, schemes: readonly string[]): readonly object[] {
  if (auth === 'none') return []
  const each = schemes.map((name) => ({ [name]: [] }))
  return auth === 'optional' ? [{}, ...each] : each
}
