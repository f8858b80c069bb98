import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { setupPluginUsage } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_usage',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: { from: 'plugins', migrations: { '0003_plugin_usage.ts': '0003_plugin_usage.ts' } },
  needs,
  setup: setupPluginUsage,
})
