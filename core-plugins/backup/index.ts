import path from 'node:path'
import { definePlugin } from '#kernel'
import { groups } from './declared/groups.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupBackup } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'backup',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  setup: setupBackup,
})
