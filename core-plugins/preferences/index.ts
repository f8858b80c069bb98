import path from 'node:path'
import { definePlugin } from '#kernel'
import { preferenceCatalogue, preferences } from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupPreferences } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'preferences',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [preferenceCatalogue, preferences],
  setup: setupPreferences,
})
