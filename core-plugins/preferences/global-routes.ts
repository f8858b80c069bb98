import { data, defineRoute, type Route } from '#kernel'
import { answerView } from './answer-view.ts'
import type { GlobalPreferences } from './global-preferences.ts'
import { writeOptions } from './routes.ts'
import { globalQuery, globalUpdated, preferenceList, preferenceQuery, preferenceValues } from './schemas.ts'

/** One place the same endpoints stand at; the bare one follows the caller's token. */
interface Mount extends Pick<Route, 'auth'> {
  readonly path: string
  readonly permission: (action: string) => NonNullable<Route['permission']>
}

const mounts: readonly Mount[] = [
  { path: '/admin/preferences/global', auth: 'platform', permission: (action) => `platform_preference:${action}` },
  { path: '/tenant/preferences/global', auth: 'tenant', permission: (action) => `tenant_preference:${action}` },
  {
    path: '/preferences/global',
    auth: 'user',
    permission: (action) => ({ platform: `platform_preference:${action}`, tenant: `tenant_preference:${action}` }),
  },
]

/** The endpoints of what everybody begins with, at each of their three places. */
export function globalRoutes(global: GlobalPreferences): readonly Route[] {
  return mounts.flatMap(({ path, auth, permission }) => [
    defineRoute({
      method: 'get',
      path,
      summary: 'Read the preferences that everybody begins with',
      ...(auth && { auth }),
      permission: permission('read'),
      answers: [200, 304],
      schema: { query: preferenceQuery, response: preferenceList },
      handler: async ({ principal, query, state }) =>
        answerView(await global.view(principal.tenantId), query, state.locale),
    }),
    defineRoute({
      method: 'put',
      path,
      summary:
        'Change the preferences that everybody begins with, of which users lose their own values; with dry_run only tell how many',
      ...(auth && { auth }),
      permission: permission('update'),
      schema: { query: globalQuery, body: preferenceValues, response: globalUpdated },
      errors: [4120, 4222],
      async handler(ctx) {
        const { principal, body, query, state } = ctx
        const options = { ...writeOptions(ctx), actor: principal, traceId: state.traceId }
        const isDryRun = query.dry_run ?? false
        const did = await global[isDryRun ? 'foresee' : 'update'](principal.tenantId, body, options)
        const { overridesRemoved, version, ...keys } = did
        const shown = { ...keys, overrides_removed: overridesRemoved, ...(isDryRun && { dry_run: true }) }
        return data(shown, { headers: { etag: `"${version}"` } })
      },
    }),
  ])
}
