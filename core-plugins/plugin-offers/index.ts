import { definePlugin } from '#kernel'
import { pluginGuardrails, pluginProviders, pluginRouters, pluginTools } from './contract.ts'
import { needs } from './needs.ts'
import { setupPluginOffers } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_offers',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  needs,
  provides: [pluginTools, pluginProviders, pluginGuardrails, pluginRouters],
  setup: setupPluginOffers,
})
