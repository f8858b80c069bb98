import path from 'node:path'
import { definePlugin } from '#kernel'
import { configReader } from '../config/contract.ts'
import { objectStorage, storageDrivers } from './contract.ts'
import { groups } from './declared/groups.ts'
import { DriverTable } from './drivers/driver-table.ts'
import { createLocalDriver } from './drivers/local-driver.ts'
import { messages } from './messages.ts'
import type { StorageParts } from './objects/storage-parts.ts'
import { fileRoutes } from './routes.ts'
import { createObjectStorage } from './service.ts'
import { sweepExpired, sweepOrphans } from './sweep.ts'

export default definePlugin({
  name: 'storage',
  version: '1.0.0',
  title: { default: 'Storage', 'zh-CN': '存储' },
  description: { default: 'Objects of plugins and features, on drivers', 'zh-CN': '插件与功能的对象存储' },
  messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { config: configReader },
  provides: [objectStorage, storageDrivers],
  setup(scope, { config }) {
    const { db, log, env } = scope
    const drivers = new DriverTable()
    scope.use(drivers.register(createLocalDriver(path.join(env.dataDir, 'storage'))))
    const signingKey = scope.secrets.derive('storage.signed-url')
    const currentDriver = (): Promise<string> => config.get('storage_driver', 0, 'local')
    const parts: StorageParts = { db, log, drivers, signingKey, publicUrl: env.publicUrl, currentDriver }
    scope.provide(storageDrivers, drivers)
    scope.provide(objectStorage, createObjectStorage(parts))
    scope.route(...fileRoutes(parts))
    scope.every(60_000, () => sweepExpired(parts))
    scope.every(60 * 60_000, () => sweepOrphans(parts))
  },
})
