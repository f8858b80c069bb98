import path from 'node:path'
import { definePlugin, trustedProxies } from '#kernel'
import {
  configComputedValues,
  configOptions,
  configPublicMembers,
  configReader,
  configSecretMembers,
  configWriter,
  tenantConfigWorkflow,
} from './contract.ts'
import { configFiles } from './contract-files.ts'
import { groups } from './declared/groups.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupConfig } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'config',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'system_config_values', column: 'value' },
    { table: 'system_config_change_requests', column: 'before' },
    { table: 'system_config_change_requests', column: 'after' },
  ],
  needs,
  provides: [
    configComputedValues,
    configFiles,
    configOptions,
    configPublicMembers,
    configReader,
    configSecretMembers,
    configWriter,
    tenantConfigWorkflow,
    trustedProxies,
  ],
  setup: setupConfig,
})
