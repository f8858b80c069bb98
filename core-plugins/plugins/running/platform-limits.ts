import type { Scope } from '#kernel'
import type { EffectiveLimits, LimitName } from '#sandbox'
import { configChanged, type ConfigReader } from '../../config/contract.ts'

/** Limits that the platform's configuration may set for every plugin, by the key of their item. */
const LIMIT_KEYS: Readonly<Record<string, LimitName>> = {
  plugin_memory_mb: 'memoryMb',
  plugin_cpu_ms: 'cpuMs',
  plugin_wall_ms: 'wallMs',
  plugin_concurrency: 'concurrency',
  plugin_tenant_concurrency: 'tenantConcurrency',
  plugin_http_timeout_ms: 'httpTimeoutMs',
  plugin_storage_quota_mb: 'storageQuotaMb',
  plugin_storage_object_mb: 'storageObjectMb',
}

type Limits = Readonly<Partial<EffectiveLimits>>

/** What the platform's configuration says of limits, kept in memory because every call asks. */
export async function watchPlatformLimits(scope: Scope, settings: ConfigReader): Promise<() => Limits> {
  let limits = await readLimits(settings)
  scope.on(
    configChanged,
    async ({ group }) => {
      if (group === 'platform_plugin') limits = await readLimits(settings)
    },
    'every-host',
  )
  return () => limits
}

/** Only what somebody set: a default says nothing against what a plugin was granted. */
async function readLimits(settings: ConfigReader): Promise<Limits> {
  const limits: Partial<Record<LimitName, number>> = {}
  for (const [key, name] of Object.entries(LIMIT_KEYS)) {
    const item = await settings.item(key)
    if (item?.source === 'platform') limits[name] = Number(item.value)
  }
  return limits
}
