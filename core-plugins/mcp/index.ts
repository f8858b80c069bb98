import path from 'node:path'
import { definePlugin } from '#kernel'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupMcp } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'mcp',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'ai_mcp_secrets', column: 'sealed', boundBy: ['server_id', 'field', 'tenant_id', 'bound_to'] }],
  needs,
  setup: setupMcp,
})
