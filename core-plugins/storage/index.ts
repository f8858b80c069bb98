import path from 'node:path'
import { definePlugin } from '#kernel'
import { objectStorage, storageDrivers, storageVolumes } from './contract.ts'
import { groups } from './declared/groups.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { setupStorage } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'storage',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  config: groups,
  menus,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'storage_volumes', column: 'config' }],
  needs,
  provides: [objectStorage, storageDrivers, storageVolumes],
  setup: setupStorage,
})
