import { defineService } from '../../service.ts'
import { apiVersions } from '../api-version.ts'
import type { Endpoint } from '../endpoint.ts'
import { menuFinder, type MenuEntry } from './menu-finder.ts'
import { openApiOperation } from './operation.ts'
import { securitySchemes } from './security-schemes.ts'
import type { RequestState } from '../route.ts'
import type { RouteTable } from '../router.ts'

/** The description of the open routes that a caller may know of, OpenAPI 3.1; the same object for callers who may know the same. */
export interface ApiDocument {
  build(state: RequestState): object
}

/** Provided by the kernel to whoever serves the description. */
export const apiDocument = defineService<ApiDocument>('kernel.api_document')

type Audience = (state: RequestState) => boolean

/** What was described of one set of routes, by who of their audiences reads it. */
interface Described {
  readonly endpoints: readonly Endpoint[]
  readonly audiences: readonly Audience[]
  readonly documents: Map<string, object>
}

/** Each is half a megabyte: those of the callers who asked last are kept. */
const mostKept = 16
const described = new WeakMap<RouteTable, Described>()

/** What a description says beside the routes. */
interface DescribedPlatform {
  readonly url: string
  /** What a plugin is for, in English. */
  readonly describePlugin: (name: string) => string | undefined
  /** Of what runs, in the order in which it was enabled. */
  readonly menus: () => readonly MenuEntry[]
}

/** Describes the routes there are for a caller; made anew only when they have changed. */
export function openApiDocument(routes: RouteTable, platform: DescribedPlatform, state: RequestState): object {
  const { endpoints, audiences, documents } = describedBy(routes)
  const shownTo = new Set(audiences.filter((audience) => audience(state)))
  const key = audiences.map((audience) => (shownTo.has(audience) ? '1' : '0')).join('')
  const document = documents.get(key) ?? describe(endpoints, platform, shownTo)
  // The last to be asked for stands last.
  documents.delete(key)
  documents.set(key, document)
  if (documents.size > mostKept) documents.delete(documents.keys().next().value as string)
  return document
}

function describedBy(routes: RouteTable): Described {
  const { endpoints } = routes
  const last = described.get(routes)
  if (last?.endpoints === endpoints) return last
  const audiences = new Set(endpoints.flatMap(({ route: { shownTo } }) => shownTo ?? []))
  const next = { endpoints, audiences: [...audiences], documents: new Map<string, object>() }
  described.set(routes, next)
  return next
}

function describe(
  endpoints: readonly Endpoint[],
  { url, describePlugin, menus }: DescribedPlatform,
  audiences: ReadonlySet<Audience>,
): object {
  const paths: Record<string, Record<string, object>> = {}
  const shown = endpoints.filter(({ route: { hidden, shownTo } }) => !hidden && (!shownTo || audiences.has(shownTo)))
  const schemes = securitySchemes(shown.map(({ route }) => route))
  const how = { schemes: Object.keys(schemes), menuOf: menuFinder(menus()) }
  for (const endpoint of shown) {
    const path = endpoint.route.path.replaceAll('*}', '}')
    const operations = (paths[path] ??= {})
    operations[endpoint.route.method] = openApiOperation(endpoint, how)
  }
  const tags = [...new Set(shown.map(({ plugin }) => plugin))].sort().map((name) => {
    const description = describePlugin(name)
    return { name, ...(description !== undefined && { description }) }
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Stoa', version: apiVersions[0], license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url }],
    tags,
    paths,
    components: { schemas: { Error: errorSchema }, responses: { Error: errorResponse }, securitySchemes: schemes },
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
    details: {
      type: 'object',
      properties: {
        stack: {
          type: 'string',
          description: 'Where a plugin threw, in its author’s files; told only by a platform that it is developed on.',
        },
      },
    },
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
