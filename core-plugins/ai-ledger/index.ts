import path from 'node:path'
import { definePlugin } from '#kernel'
import { groups } from './config.ts'
import { aiKeys, aiLedger, aiSpending } from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupAiLedger } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'ai_ledger',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  config: groups,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'ai_key_peppers', column: 'sealed' },
    { table: 'ai_usage_reports', column: 'webhook' },
  ],
  needs,
  provides: [aiLedger, aiSpending, aiKeys],
  setup: setupAiLedger,
})
