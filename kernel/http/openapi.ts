import type { Environment } from '../env.ts'
import { defineService } from '../service.ts'
import { apiVersions } from './api-version.ts'
import type { Endpoint } from './endpoint.ts'
import { openApiOperation } from './openapi-operation.ts'
import type { RouteTable } from './router.ts'

/** The description of every open route, OpenAPI 3.1. */
export interface ApiDocument {
  build(): object
}

/** Provided by the kernel to whoever serves the description. */
export const apiDocument = defineService<ApiDocument>('kernel.api_document')

const built = new WeakMap<RouteTable, { readonly endpoints: readonly Endpoint[]; readonly document: object }>()

/** Describes the routes there are; made anew only when they have changed. */
export function openApiDocument(routes: RouteTable, env: Pick<Environment, 'publicUrl'>): object {
  const { endpoints } = routes
  const last = built.get(routes)
  if (last?.endpoints === endpoints) return last.document
  const document = describe(endpoints, env.publicUrl)
  built.set(routes, { endpoints, document })
  return document
}

function describe(endpoints: readonly Endpoint[], url: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const shown = endpoints.filter(({ route }) => !route.hidden)
  for (const endpoint of shown) {
    const path = endpoint.route.path.replaceAll('*}', '}')
    const operations = (paths[path] ??= {})
    operations[endpoint.route.method] = openApiOperation(endpoint)
  }
  const tags = [...new Set(shown.map(({ plugin }) => plugin))].sort().map((name) => ({ name }))
  return {
    openapi: '3.1.0',
    info: { title: 'Stoa', version: apiVersions[0] },
    servers: [{ url }],
    tags,
    paths,
    components: { schemas: { Error: errorSchema }, responses: { Error: errorResponse }, securitySchemes },
  }
}

const errorSchema = {
  type: 'object',
  required: ['code', 'message', 'trace_id', 'reason'],
  properties: {
    code: { type: 'integer', description: 'The first three digits are the HTTP status.' },
    message: { type: 'string' },
    trace_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    reason: { type: 'string', description: 'A stable slug.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'rule', 'message'],
        properties: {
          field: { type: 'string' },
          rule: { type: 'string' },
          message: { type: 'string' },
          params: { type: 'object' },
        },
      },
    },
    details: { type: 'object' },
  },
}

const errorReference = { $ref: '#/components/schemas/Error' }
const errorResponse = {
  description: 'It failed',
  content: {
    'application/json': { schema: errorReference },
    'application/problem+json': { schema: errorReference },
  },
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key.' },
  api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
}
