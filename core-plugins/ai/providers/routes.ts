import { created, defineRoute, deletedBody, readPage, withEtag, type Principal, type Route } from '#kernel'
import type { PluginProviders } from '../../plugin-offers/contract.ts'
import { forceQuery } from '../force-query.ts'
import { listOffers } from './offers.ts'
import {
  newProvider,
  providerBody,
  providerChange,
  providerOffers,
  providerPage,
  providerParams,
  providerQuery,
} from './schemas.ts'
import type { PresentedProvider } from './present.ts'
import type { HealthReader } from '../health-shape.ts'
import type { ProviderService } from './service.ts'
import { demand } from '../permissions.ts'

const path = '/admin/ai/providers'
const sortable = ['-created_at', 'code', 'name', 'type', 'status', 'updated_at']

/** The endpoints of providers; all that is shown of one says how it is. */
export function providerRoutes(
  providers: ProviderService,
  states: HealthReader,
  plugins: Pick<PluginProviders, 'list'>,
): readonly Route[] {
  const well = async (reader: Principal, provider: PresentedProvider) =>
    (await states.onProviders(reader, [provider]))[0] as PresentedProvider
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List AI providers; secrets are never shown',
      permission: demand('ai_provider:list'),
      schema: { query: providerQuery, response: providerPage },
      handler: async ({ principal, query }) => {
        const page = await providers.list(principal, readPage(query, sortable), query)
        return { ...page, items: await states.onProviders(principal, page.items) }
      },
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Add an AI provider',
      permission: demand('ai_provider:create'),
      answers: [201],
      schema: { body: newProvider, response: providerBody },
      errors: [4040, 4091, 4229],
      handler: async (ctx) => created(await well(ctx.principal, await providers.create(ctx.body, ctx))),
    }),
    defineRoute({
      method: 'get',
      path: '/admin/ai/provider-offers',
      summary: 'List the AI providers that plugins bring, with the fields of a form for each',
      permission: demand('ai_provider:list'),
      schema: { response: providerOffers },
      handler: ({ principal, state }) => ({ items: listOffers(plugins, principal, state.locale) }),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{provider_id}`,
      summary: 'Read an AI provider; secrets are never shown',
      permission: demand('ai_provider:detail'),
      answers: [200, 304],
      schema: { params: providerParams, response: providerBody },
      errors: [4048],
      handler: async ({ principal, params }) =>
        tagged(await well(principal, await providers.get(principal, params.provider_id))),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{provider_id}`,
      summary: 'Change an AI provider; what is absent stays',
      permission: demand('ai_provider:update'),
      schema: { params: providerParams, body: providerChange, response: providerBody },
      errors: [4048, 4091, 4120, 4229],
      handler: async (ctx) =>
        tagged(await well(ctx.principal, await providers.update(ctx.params.provider_id, ctx.body, ctx))),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{provider_id}`,
      summary: 'Delete an AI provider with its secrets; with force models that use it stay, and are not called',
      permission: demand('ai_provider:delete'),
      schema: { params: providerParams, query: forceQuery, response: deletedBody },
      errors: [4048, 4095],
      handler: async (ctx) => {
        await providers.delete(ctx.params.provider_id, ctx, ctx.query.force ?? false)
        return { deleted: true }
      },
    }),
  ]
}

function tagged(provider: PresentedProvider) {
  return withEtag(provider, String(provider.version))
}
