import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupWebhooks } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'webhooks',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'webhooks', column: 'url', boundBy: ['tenant_id', 'id'] },
    { table: 'webhook_secrets', column: 'sealed', boundBy: ['tenant_id', 'webhook_id', 'host'] },
  ],
  needs,
  setup: (scope, needed) => setupWebhooks(scope, needed),
})
