import path from 'node:path'
import { absentRoutes, definePlugin } from '#kernel'
import { aiInvokers, pluginDirectory, pluginRowKeepers, pluginRuntime } from './contract.ts'
import { messages } from './messages.ts'
import { needs } from './shared/needs.ts'
import { permissions } from './shared/permissions.ts'
import { startPlugins } from './start-plugins.ts'

export default definePlugin({
  name: 'plugins',
  version: '1.0.0',
  title: { default: 'Plugins', 'zh-CN': '插件' },
  description: {
    default: 'Installs, runs and removes third-party plugins',
    'zh-CN': '安装、运行与移除第三方插件',
  },
  permissions,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'plugin_site_keys', column: 'private_key' },
    { table: 'plugin_sources', column: 'headers' },
  ],
  needs,
  provides: [absentRoutes, ...[pluginDirectory, pluginRuntime, pluginRowKeepers], aiInvokers],
  setup: startPlugins,
})
