import { created, defineRoute, deletedBody, type Route } from '#kernel'
import { refreshLimit } from './refresh-limit.ts'
import { sourceBody, sourceChange, sourceParams, sourceQuery, sourceRecord } from './schemas.ts'
import type { SourceRefresher } from './source-refresher.ts'
import type { SourceChange } from './source-rules.ts'
import type { SourceService } from './source-service.ts'

/** What the routes of sources stand on. */
interface SourceRouteParts {
  readonly service: SourceService
  readonly refresher: SourceRefresher
}

interface ChangeBody {
  readonly root_fingerprint?: string | null
  readonly min_trust?: SourceChange['minTrust']
  readonly max_trust?: SourceChange['maxTrust']
  readonly download_hosts?: readonly string[]
}

/** The index sources, under one prefix. */
export function sourceRoutes({ service, refresher }: SourceRouteParts, prefix: string): readonly Route[] {
  const sources = `${prefix}/sources`
  const source = `${sources}/{source_id}`
  const shared = { auth: 'platform', permission: 'marketplace:sources' } as const
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: sources,
      summary: 'List the index sources, the first to be asked first',
      schema: {
        query: sourceQuery,
        response: { type: 'object', properties: { items: { type: 'array', items: sourceRecord } } },
      },
      handler: ({ query }) => service.list(query),
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: sources,
      summary: 'Add an index source',
      answers: [201],
      schema: { body: sourceBody, response: sourceRecord },
      errors: [4091],
      async handler({ body: { id, name, url, ...change }, principal }) {
        return created(await service.create({ ...readChange(change), id, name, url }, principal))
      },
    }),
    defineRoute({
      ...shared,
      method: 'get',
      path: source,
      summary: 'Read an index source and how the last look at it went',
      schema: { params: sourceParams, response: sourceRecord },
      errors: [4040],
      handler: ({ params }) => service.get(params.source_id),
    }),
    defineRoute({
      ...shared,
      method: 'put',
      path: source,
      summary: 'Change an index source',
      schema: { params: sourceParams, body: sourceChange, response: sourceRecord },
      errors: [4040],
      handler: ({ params, body, principal }) => service.update(params.source_id, readChange(body), principal),
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: source,
      summary: 'Remove an index source; what was installed from it stays',
      schema: { params: sourceParams, response: deletedBody },
      errors: [4040],
      async handler({ params, principal }) {
        await service.delete(params.source_id, principal)
        return { deleted: true }
      },
    }),
    defineRoute({
      auth: 'platform',
      permission: 'marketplace:browse',
      method: 'post',
      path: `${source}/refresh`,
      summary: 'Read an index source now',
      limit: refreshLimit,
      schema: { params: sourceParams, response: sourceRecord },
      errors: [4040, 5023],
      async handler({ params }) {
        await refresher.refreshNow(params.source_id)
        return service.get(params.source_id)
      },
    }),
  ]
}

function readChange<B extends ChangeBody>(body: B) {
  const { root_fingerprint, min_trust, max_trust, download_hosts, ...rest } = body
  return {
    ...rest,
    ...(root_fingerprint !== undefined && { rootFingerprint: root_fingerprint }),
    ...(min_trust !== undefined && { minTrust: min_trust }),
    ...(max_trust !== undefined && { maxTrust: max_trust }),
    ...(download_hosts !== undefined && { downloadHosts: download_hosts }),
  }
}
