import path from 'node:path'
import { definePlugin, errorForms, joinMessages } from '#kernel'
import { groups } from './declared/groups.ts'
import { aiGateway, aiModelUsers, aiSurfaces } from './contract.ts'
import { texts as failoverTexts } from './failover/texts/texts.ts'
import { texts as healthTexts } from './health/texts/texts.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { texts as relayTexts } from './relay/texts/texts.ts'
import { setupAi } from './setup.ts'
import { texts } from './texts/texts.ts'
import { texts as wireTexts } from './wire/texts/texts.ts'

export default definePlugin({
  name: 'ai',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  config: groups,
  messages: joinMessages(
    texts.messages,
    wireTexts.messages,
    relayTexts.messages,
    failoverTexts.messages,
    healthTexts.messages,
  ),
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'ai_provider_secrets', column: 'sealed', boundBy: ['provider_id', 'field', 'tenant_id'] },
    { table: 'ai_alert_rules', column: 'webhook' },
    { table: 'ai_request_payloads', column: 'sealed' },
  ],
  needs,
  provides: [errorForms, aiGateway, aiModelUsers, aiSurfaces],
  setup: setupAi,
})
