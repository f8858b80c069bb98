import { definePlugin } from '#kernel'
import { consoleBuild } from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { setupConsole } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'console',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  menus,
  needs,
  provides: [consoleBuild],
  setup: setupConsole,
})
