import type { Scope } from '#kernel'
import { createCaptchaContributor } from './captcha/captcha-contributor.ts'
import { PluginAsker } from './ask-plugin.ts'
import { pluginGuardrails, pluginProviders, pluginRouters, pluginTools } from './contract.ts'
import { ContributedItems } from './contributed.ts'
import { PluginGuardrailBook } from './guardrails/plugin-guardrail-book.ts'
import type { PluginOffersNeeds } from './needs.ts'
import { Offers } from './offers.ts'
import { createPreferenceContributor } from './preferences/preference-contributor.ts'
import { ProviderMappings } from './providers/provider-mappings.ts'
import { PluginRouterBook } from './routers/plugin-router-book.ts'
import { createDriverContributor } from './storage/driver-contributor.ts'
import { ToolTable } from './tools/tool-table.ts'
import { sdkRoute } from './ui/sdk-files.ts'
import { uiRoute } from './ui/ui-files.ts'

/** Offers what plugins provide beside routes. */
export function setupPluginOffers(scope: Scope, needs: PluginOffersNeeds): void {
  const { runtime, captchas, drivers, preferences, resolver: tenants } = needs
  const offers = new Offers(runtime)
  const tools = new ToolTable(offers, runtime)
  const asker = new PluginAsker(runtime, tenants)
  const providers = new ContributedItems(offers, 'ai:provider', ({ aiProviders }) => aiProviders)
  const guardrails = new ContributedItems(offers, 'ai:guardrail', ({ aiGuardrails }) => aiGuardrails)
  const routers = new ContributedItems(offers, 'ai:router', ({ aiRouters }) => aiRouters)
  scope.provide(pluginTools, tools)
  scope.provide(pluginProviders, new ProviderMappings(providers, asker))
  scope.provide(pluginGuardrails, new PluginGuardrailBook(guardrails, asker))
  scope.provide(pluginRouters, new PluginRouterBook(routers, asker))
  scope.route(sdkRoute(), uiRoute(runtime, { isDevelopment: scope.env.pluginDev }))
  const contributors = [
    createCaptchaContributor({ captchas, offers, sandbox: runtime, tenants }),
    createDriverContributor({ drivers, offers, sandbox: runtime }),
    createPreferenceContributor(preferences),
    tools.contribute.bind(tools),
    ...[providers, guardrails, routers].map((items) => items.contribute.bind(items)),
  ]
  for (const contributor of contributors) scope.use(runtime.contribute(contributor))
}
