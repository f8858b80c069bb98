import path from 'node:path'
import { definePlugin } from '#kernel'
import { deliveryChanges, messageSender } from './contract.ts'
import { groups } from './declared/groups.ts'
import { needs } from './needs.ts'
import { setupMail } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'mail',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'mail_delivery_changes', column: 'former' }],
  needs,
  provides: [messageSender, deliveryChanges],
  setup: setupMail,
})
