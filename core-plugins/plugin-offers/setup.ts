import type { Scope } from '#kernel'
import { createCaptchaContributor } from './captcha/captcha-contributor.ts'
import { pluginProviders, pluginTools } from './contract.ts'
import type { PluginOffersNeeds } from './needs.ts'
import { Offers } from './offers.ts'
import { createPreferenceContributor } from './preferences/preference-contributor.ts'
import { ProviderMappings } from './providers/provider-mappings.ts'
import { ProviderTable } from './providers/provider-table.ts'
import { createDriverContributor } from './storage/driver-contributor.ts'
import { ToolTable } from './tools/tool-table.ts'
import { uiRoute } from './ui/ui-files.ts'

/** Offers what plugins provide beside routes. */
export function setupPluginOffers(scope: Scope, needs: PluginOffersNeeds): void {
  const { runtime, captchas, drivers, preferences, resolver: tenants } = needs
  const offers = new Offers(runtime)
  const tools = new ToolTable(offers, runtime)
  const providers = new ProviderTable(offers)
  scope.provide(pluginTools, tools)
  scope.provide(pluginProviders, new ProviderMappings(providers, runtime))
  scope.route(uiRoute(runtime))
  const contributors = [
    createCaptchaContributor({ captchas, offers, sandbox: runtime, tenants }),
    createDriverContributor({ drivers, offers, sandbox: runtime }),
    createPreferenceContributor(preferences),
    tools.contribute.bind(tools),
    providers.contribute.bind(providers),
  ]
  for (const contributor of contributors) scope.use(runtime.contribute(contributor))
}
