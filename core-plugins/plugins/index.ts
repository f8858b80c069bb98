import path from 'node:path'
import { definePlugin, permissionRegistry, pluginHost, tenantResolver, databaseConnection } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader, configWriter } from '../config/contract.ts'
import { objectStorage, storageVolumes } from '../storage/contract.ts'
import { tenantDirectory } from '../tenants/contract.ts'
import { messages } from './messages.ts'
import { permissions } from './permissions.ts'
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
  sealed: [{ table: 'plugin_site_keys', column: 'private_key' }],
  needs: {
    registry: permissionRegistry,
    host: pluginHost,
    connection: databaseConnection,
    resolver: tenantResolver,
    tenants: tenantDirectory,
    storage: objectStorage,
    volumes: storageVolumes,
    config: configWriter,
    settings: configReader,
    access,
    audit,
  },
  setup: startPlugins,
})
