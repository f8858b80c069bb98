import { data, defineRoute, tenantNeeds, type Reply, type Route, type RouteContext } from '#kernel'
import { answerView } from './answer-view.ts'
import type { PersonalPreferences, View, WriteOptions } from './personal-preferences.ts'
import { presentPreference } from './present.ts'
import {
  preferenceList,
  preferenceParams,
  preferenceQuery,
  preferencesReset,
  preferencesUpdated,
  preferenceValues,
  resetBody,
} from './schemas.ts'

/** The endpoints of one's own preferences. */
export function personalRoutes(personal: PersonalPreferences): readonly Route[] {
  const mayUpdate = tenantNeeds('user_preference:update')
  return [
    defineRoute({
      method: 'get',
      path: '/preferences',
      summary: 'Read one’s preferences, each with where its value comes from',
      admit: tenantNeeds('user_preference:read'),
      answers: [200, 304],
      schema: { query: preferenceQuery, response: preferenceList },
      handler: async ({ principal, query, state }) => answerView(await personal.view(principal), query, state.locale),
    }),
    ...(['patch', 'put'] as const).map((method) =>
      defineRoute({
        method,
        path: '/preferences',
        summary: 'Change one’s preferences: all of those given or, when one is not valid, none',
        admit: mayUpdate,
        schema: { body: preferenceValues, response: preferencesUpdated },
        errors: [4120, 4222],
        async handler(ctx) {
          const { changed, ...view } = await personal.update(ctx.principal, ctx.body, writeOptions(ctx))
          return answerWrite({ updated: changed }, view)
        },
      }),
    ),
    defineRoute({
      method: 'delete',
      path: '/preferences/{key}',
      summary: 'Go back to the global default of one preference',
      admit: mayUpdate,
      schema: { params: preferenceParams, response: preferencesReset },
      errors: [4040, 4120],
      async handler(ctx) {
        const { changed, ...view } = await personal.drop(ctx.principal, ctx.params.key, writeOptions(ctx))
        return answerWrite({ reset: changed }, view)
      },
    }),
    defineRoute({
      method: 'post',
      path: '/preferences/reset',
      summary: 'Go back to the global defaults, of some preferences or of all',
      admit: mayUpdate,
      schema: { body: resetBody, response: preferencesReset },
      errors: [4120, 4222],
      async handler(ctx) {
        const { changed, ...view } = await personal.reset(ctx.principal, ctx.body.keys, writeOptions(ctx))
        return answerWrite({ reset: changed }, view)
      },
    }),
  ]
}

/** What the services want to know of a request that writes. */
export function writeOptions(ctx: Pick<RouteContext, 'state' | 'requireMatch'>): WriteOptions {
  return { locale: ctx.state.locale, requireMatch: (version) => ctx.requireMatch(version) }
}

function answerWrite(did: Readonly<Record<string, readonly string[]>>, { effective, version }: View): Reply {
  return data({ ...did, items: effective.map(presentPreference) }, { headers: { etag: `"${version}"` } })
}
