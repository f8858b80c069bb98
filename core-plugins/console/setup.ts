import type { Needed, Scope } from '#kernel'
import { consoleFolders } from './build/folders.ts'
import { consoleBuild } from './contract.ts'
import type { needs } from './needs.ts'
import { consolePreferences } from './preferences.ts'
import { assetRoutes, pageRoutes } from './routes.ts'
import { AssetTable } from './serving/asset-table.ts'
import { Builder } from './serving/builder.ts'
import { ConsolePage } from './serving/page.ts'
import { reportRoute } from './serving/report-route.ts'
import { StorageOrigins } from './serving/storage-origins.ts'

/** Serves the console, and makes its files where they are not there. */
export function setupConsole(scope: Scope, { catalogue, config, tenants, volumes }: Needed<typeof needs>): void {
  const assets = new AssetTable(consoleFolders.dist)
  const builder = scope.use(new Builder({ folders: consoleFolders, assets, env: scope.env, log: scope.log }))
  const storage = new StorageOrigins({ volumes, tenants, log: scope.log })
  const page = new ConsolePage({ assets, builder, config, publicUrl: scope.env.publicUrl, storage })
  scope.provide(consoleBuild, builder)
  scope.register(() => catalogue.register(consolePreferences))
  scope.route(...assetRoutes(assets), ...pageRoutes(page), reportRoute())
}
