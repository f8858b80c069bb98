import { defineRoute, readPage, type Route } from '#kernel'
import type { EndingLicences } from './ending-licences.ts'
import { endingPage, endingQuery, hostBody, licenceBody, pluginParams } from './schemas.ts'
import type { LicenceService } from './service.ts'

/** What is read of the licences of plugins, under one prefix; their changes are operations of `plugins`. */
export function licenceRoutes(licences: LicenceService, ending: EndingLicences, prefix: string): readonly Route[] {
  const shared = { auth: 'platform', permission: 'platform_plugin:license' } as const
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: `${prefix}/license-host`,
      summary: 'Read the id under which publishers make licences for this site',
      schema: { response: hostBody },
      handler: () => ({ host: licences.host }),
    }),
    defineRoute({
      ...shared,
      method: 'get',
      path: `${prefix}/ending-licenses`,
      summary: 'List for whom licences of plugins end soon, or have ended and are in their grace',
      schema: { query: endingQuery, response: endingPage },
      handler: ({ query }) => ending.list(readPage(query, ['expires_at', 'state']), query),
    }),
    defineRoute({
      ...shared,
      method: 'get',
      path: `${prefix}/{plugin_id}/license`,
      summary: 'Read how a plugin is licensed',
      schema: { params: pluginParams, response: licenceBody },
      errors: [4046],
      handler: ({ params }) => licences.show(params.plugin_id),
    }),
  ]
}
