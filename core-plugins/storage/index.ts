import path from 'node:path'
import { definePlugin } from '#kernel'
import * as access from '../access/contract.ts'
import * as config from '../config/contract.ts'
import { objectStorage, storageDrivers, storageVolumes } from './contract.ts'
import { groups } from './declared/groups.ts'
import { messages } from './messages.ts'
import { startStorage } from './start-storage.ts'

export default definePlugin({
  name: 'storage',
  version: '1.0.0',
  title: { default: 'Storage', 'zh-CN': '存储' },
  description: { default: 'Objects of plugins and features, on drivers', 'zh-CN': '插件与功能的对象存储' },
  messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'storage_volumes', column: 'config' }],
  needs: {
    access: access.access,
    config: config.configReader,
    options: config.configOptions,
    secretMembers: config.configSecretMembers,
    publicMembers: config.configPublicMembers,
    workflow: config.tenantConfigWorkflow,
  },
  provides: [objectStorage, storageDrivers, storageVolumes],
  setup: startStorage,
})
