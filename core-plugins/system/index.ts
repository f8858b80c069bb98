import { definePlugin } from '#kernel'
import { healthDetails } from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupSystem } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'system',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  needs,
  provides: [healthDetails],
  setup: setupSystem,
})
