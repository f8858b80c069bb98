import path from 'node:path'
import { definePlugin } from '#kernel'
import { access as accessRef, audit as auditRef } from './contract.ts'
import { menus } from './menus/declared.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupAccess } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'access',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [accessRef, auditRef],
  setup: setupAccess,
})
