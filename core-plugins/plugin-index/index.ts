import path from 'node:path'
import { definePlugin } from '#kernel'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { setupPluginIndex } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_index',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: {
    from: 'plugins',
    migrations: {
      '0008_plugin_sources.ts': '0008_plugin_sources.ts',
      '0012_publisher_beliefs.ts': '0012_publisher_beliefs.ts',
    },
  },
  sealed: [{ table: 'plugin_sources', column: 'headers' }],
  needs,
  setup: setupPluginIndex,
})
