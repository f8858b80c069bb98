import path from 'node:path'
import { definePlugin, pluginHost, trustedProxies } from '#kernel'
import { audit } from '../access/contract.ts'
import { jobs } from '../jobs/contract.ts'
import * as contract from './contract.ts'
import { groups } from './declared/groups.ts'
import { permissions } from './permissions.ts'
import { configRoutes } from './routes.ts'
import { createConfiguration } from './service.ts'
import { followTrustedProxies } from './trusted-proxies.ts'
import { texts } from './texts/texts.ts'

const { configComputedValues, configOptions, configPublicMembers, configReader, configSecretMembers, configWriter } =
  contract
const { tenantConfigWorkflow } = contract

export default definePlugin({
  name: 'config',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'system_config_values', column: 'value' },
    { table: 'system_config_change_requests', column: 'before' },
    { table: 'system_config_change_requests', column: 'after' },
  ],
  needs: { host: pluginHost, audit, jobs },
  provides: [
    configComputedValues,
    configOptions,
    configPublicMembers,
    configReader,
    configSecretMembers,
    configWriter,
    tenantConfigWorkflow,
    trustedProxies,
  ],
  async setup(scope, needs) {
    const configuration = await createConfiguration(scope, needs, { name: scope.plugin, config: groups })
    scope.provide(configReader, configuration.reader)
    scope.provide(configWriter, configuration.writer)
    scope.provide(tenantConfigWorkflow, configuration.tenantWorkflow)
    scope.provide(configComputedValues, configuration.computed)
    scope.provide(configOptions, configuration.options)
    scope.provide(configSecretMembers, configuration.secretMembers)
    scope.provide(trustedProxies, await followTrustedProxies(scope, configuration.reader))
    scope.route(...configRoutes(scope, configuration, needs.audit))
  },
})
