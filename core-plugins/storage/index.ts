import path from 'node:path'
import { definePlugin } from '#kernel'
import * as access from '../access/contract.ts'
import * as config from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { objectStorage, storageDrivers, storageVolumes } from './contract.ts'
import { groups } from './declared/groups.ts'
import { startStorage } from './start-storage.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'storage',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'storage_volumes', column: 'config' }],
  needs: {
    access: access.access,
    jobs,
    config: config.configReader,
    options: config.configOptions,
    secretMembers: config.configSecretMembers,
    publicMembers: config.configPublicMembers,
    workflow: config.tenantConfigWorkflow,
  },
  provides: [objectStorage, storageDrivers, storageVolumes],
  setup: startStorage,
})
