import { type Needed, type Scope, trustedProxies } from '#kernel'
import {
  configComputedValues,
  configOptions,
  configReader,
  configSecretMembers,
  configWriter,
  tenantConfigWorkflow,
} from './contract.ts'
import { configFiles } from './contract-files.ts'
import { groups } from './declared/groups.ts'
import type { needs } from './needs.ts'
import { groupNames } from './reading/group-names.ts'
import { configRoutes } from './routes.ts'
import { createConfiguration } from './service.ts'
import { followTrustedProxies } from './trusted-proxies.ts'

/** Provides the settings, their checks and the changes that wait for approval. */
export async function setupConfig(scope: Scope, needed: Needed<typeof needs>): Promise<void> {
  const configuration = await createConfiguration(scope, needed, { name: scope.plugin, config: groups })
  scope.provide(configReader, configuration.reader)
  scope.provide(configWriter, configuration.writer)
  scope.provide(tenantConfigWorkflow, configuration.tenantWorkflow)
  scope.provide(configComputedValues, configuration.computed)
  scope.provide(configFiles, configuration.files)
  scope.provide(configOptions, configuration.options)
  scope.provide(configSecretMembers, configuration.secretMembers)
  scope.provide(trustedProxies, await followTrustedProxies(scope, configuration.reader))
  scope.use(needed.audit.nameTargets('config', groupNames(configuration.catalogue)))
  scope.route(...configRoutes(scope, configuration, needed.audit))
}
