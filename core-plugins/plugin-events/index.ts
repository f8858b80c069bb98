import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { setupPluginEvents } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_events',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: { from: 'plugins', migrations: { '0003_plugin_dead_events.ts': '0003_plugin_dead_events.ts' } },
  needs,
  setup: setupPluginEvents,
})
