import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupPluginSchedules } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_schedules',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: { from: 'plugins', migrations: { '0002_plugin_schedules.ts': '0002_plugin_schedules.ts' } },
  needs,
  setup: setupPluginSchedules,
})
