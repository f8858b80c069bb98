import path from 'node:path'
import { definePlugin } from '#kernel'
import { attachmentFiles } from './contract-files.ts'
import { groups } from './declared.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupAttachments } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'attachments',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [attachmentFiles],
  setup: setupAttachments,
})
