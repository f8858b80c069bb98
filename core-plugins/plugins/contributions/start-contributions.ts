import type { Scope } from '#kernel'
import type { Sandbox } from '#sandbox'
import type { PluginsNeeds } from '../needs.ts'
import type { PluginLoader } from '../running/plugin-loader.ts'
import type { RunningState } from '../running/running-state.ts'
import { createCaptchaContributor } from './captcha/captcha-contributor.ts'
import { aiInvokers, pluginProviders, pluginTools } from './contract.ts'
import type { Contributor } from './contributor.ts'
import type { InvokerList } from './invoker-list.ts'
import { Offers } from './offers.ts'
import { createPreferenceContributor } from './preferences/preference-contributor.ts'
import { ProviderMappings } from './providers/provider-mappings.ts'
import { ProviderTable } from './providers/provider-table.ts'
import { createDriverContributor } from './storage/driver-contributor.ts'
import { ToolTable } from './tools/tool-table.ts'
import { KeptReleases } from './ui/kept-releases.ts'
import { uiRoute } from './ui/ui-files.ts'

/** What contributions stand on. */
export interface ContributionParts extends Pick<PluginsNeeds, 'captchas' | 'drivers' | 'preferences' | 'resolver'> {
  readonly state: RunningState
  readonly sandbox: Sandbox
  readonly loader: Pick<PluginLoader, 'find' | 'prepare'>
  readonly invokers: InvokerList
}

/** Offers what plugins provide beside routes; answers what is to be done for each plugin that starts. */
export function startContributions(scope: Scope, parts: ContributionParts): readonly Contributor[] {
  const { state, sandbox, loader, invokers, captchas, drivers, preferences, resolver: tenants } = parts
  const offers = new Offers(state, sandbox)
  const tools = new ToolTable(offers, sandbox)
  const providers = new ProviderTable(offers)
  scope.provide(pluginTools, tools)
  scope.provide(pluginProviders, new ProviderMappings(providers, sandbox))
  scope.provide(aiInvokers, invokers)
  scope.route(uiRoute(loader, new KeptReleases(scope.db, loader), state.gate))
  return [
    createCaptchaContributor({ captchas, offers, sandbox, tenants }),
    createDriverContributor({ drivers, offers, sandbox }),
    createPreferenceContributor(preferences),
    (own, plugin) => tools.contribute(own, plugin),
    (own, plugin) => providers.contribute(own, plugin),
  ]
}
