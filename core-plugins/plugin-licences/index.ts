import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { setupPluginLicences } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_licences',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: {
    from: 'plugins',
    migrations: {
      '0009_plugin_licences.ts': '0009_plugin_licences.ts',
      '0013_plugin_licence_words.ts': '0013_plugin_licence_words.ts',
    },
  },
  needs,
  setup: setupPluginLicences,
})
