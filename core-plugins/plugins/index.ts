import path from 'node:path'
import { absentRoutes, definePlugin, joinMessages } from '#kernel'
import { marketplaceTexts } from '#marketplace'
import { sandboxTexts } from '#sandbox'
import {
  aiInvokers,
  pluginLicences,
  packageIndexes,
  packageIntake,
  pluginDirectory,
  pluginOperations,
  pluginRowKeepers,
  pluginRuntime,
} from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './shared/permissions.ts'
import { setupPlugins } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugins',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: joinMessages(texts.messages, marketplaceTexts.messages, sandboxTexts.messages),
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'plugin_site_keys', column: 'private_key' }],
  needs,
  provides: [
    ...[absentRoutes, aiInvokers, pluginLicences],
    ...[pluginDirectory, pluginRuntime, pluginRowKeepers, pluginOperations],
    ...[packageIndexes, packageIntake],
  ],
  setup: setupPlugins,
})
