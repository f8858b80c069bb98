import path from 'node:path'
import { definePlugin } from '#kernel'
import { notifier, pluginMailer } from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupNotifications } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'notifications',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [notifier, pluginMailer],
  setup: setupNotifications,
})
