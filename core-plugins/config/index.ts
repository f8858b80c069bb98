import path from 'node:path'
import { definePlugin, pluginHost, trustedProxies } from '#kernel'
import { audit } from '../access/contract.ts'
import { configReader, configWriter } from './contract.ts'
import { groups } from './declared/groups.ts'
import { messages } from './messages.ts'
import { permissions } from './permissions.ts'
import { publicRoutes } from './public/routes.ts'
import { groupRoutes, keyRoutes } from './routes.ts'
import { createConfiguration } from './service.ts'
import { followTrustedProxies } from './trusted-proxies.ts'

export default definePlugin({
  name: 'config',
  version: '1.0.0',
  title: { default: 'Configuration', 'zh-CN': '配置' },
  description: { default: 'Configuration groups of the platform and its tenants', 'zh-CN': '平台与租户的配置组' },
  permissions,
  messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { host: pluginHost, audit },
  provides: [configReader, configWriter, trustedProxies],
  async setup(scope, needs) {
    const own = { name: scope.plugin, config: groups }
    const { catalogue, reader, writer, views } = await createConfiguration(scope, needs.host, needs.audit, own)
    scope.provide(configReader, reader)
    scope.provide(configWriter, writer)
    scope.provide(trustedProxies, await followTrustedProxies(scope, reader))
    scope.route(...groupRoutes(writer, views), ...keyRoutes(needs.audit))
    scope.route(...publicRoutes(catalogue, reader, scope.env.publicUrl))
  },
})
