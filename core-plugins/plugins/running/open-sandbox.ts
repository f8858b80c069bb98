import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { DatabaseConnection, Scope } from '#kernel'
import {
  createSandbox,
  pluginHash8,
  type Gate,
  type PlatformServices,
  type Sandbox,
  type SandboxServices,
} from '#sandbox'
import type { ConfigReader, ConfigWriter } from '../../config/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import { createBreakerNews } from './breaker-news.ts'
import { watchPlatformLimits } from './platform-limits.ts'

/** What the sandbox is given of the platform. */
interface SandboxParts extends PlatformServices {
  readonly connection: DatabaseConnection
  readonly storage: ObjectStorage
  readonly config: ConfigWriter
  readonly settings: ConfigReader
  readonly gate: Gate
  readonly publish: SandboxServices['publish']
  readonly releaseWatch: NonNullable<SandboxServices['releaseWatch']>
  readonly onQuarantine: SandboxServices['onQuarantine']
}

/** Starts this process's sandbox; it ends with the scope. */
export async function openSandbox(scope: Scope, parts: SandboxParts): Promise<Sandbox> {
  const { connection, storage, config, settings, ...given } = parts
  const limits = await watchPlatformLimits(scope, settings)
  const services: SandboxServices = {
    ...given,
    storage: (plugin, tenantId) => storage.open(`plugins/${plugin}`, tenantId),
    config: (plugin, tenantId) => readConfig(config, plugin, tenantId),
    database: connection,
    rolePassword: (plugin) => scope.secrets.derive(`plugins.role.${plugin}`).toString('base64url'),
    cache: scope.cache,
    limiter: scope.limiter,
    log: scope.log,
    environment: scope.env,
    limits,
    breakerNews: createBreakerNews(scope),
  }
  const releases = path.join(scope.env.dataDir, 'packages')
  // The jail of the sandbox hosts is tried on this folder before the first package comes.
  await mkdir(releases, { recursive: true, mode: 0o755 })
  return scope.use(await createSandbox(services, { releases, tellsCallers: scope.env.pluginDev }))
}

/** The platform's values of a plugin and, over them, the tenant's; both under their short keys. */
async function readConfig(
  config: ConfigWriter,
  plugin: string,
  tenantId: number,
): Promise<Readonly<Record<string, unknown>>> {
  const view = { keyPrefix: `plg_${pluginHash8(plugin)}_` }
  const platform = await config.effectiveOf(`plugin.${plugin}.platform`, 0, view)
  return { ...platform, ...(await config.effectiveOf(`plugin.${plugin}`, tenantId, view)) }
}
