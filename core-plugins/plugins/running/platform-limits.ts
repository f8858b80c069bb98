import type { Scope } from '#kernel'
import { sandboxLimits, type EffectiveLimits, type LimitName } from '#sandbox'
import { configChanged, valuesChanged, type ConfigReader } from '../../config/contract.ts'

const groupName = 'platform_plugin'
/** Every limit may have an item, `plugin_` and its name; those without one stand as the table has them. */
const limitKeys = (Object.keys(sandboxLimits) as LimitName[]).map(
  (name) => [`plugin_${limitName(name)}`, name] as const,
)

type Limits = Readonly<Partial<EffectiveLimits>>

/** A limit as the interface writes it: `cpuMs` is `cpu_ms`. */
export function limitName(name: LimitName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** What the platform's configuration says of limits, kept in memory because every call asks. */
export async function watchPlatformLimits(scope: Scope, settings: ConfigReader): Promise<() => Limits> {
  let limits: Limits = {}
  // Heard before the first reading: a change between the two would be lost.
  scope.on(
    configChanged,
    async ({ group }) => {
      if (group === groupName) limits = await readLimits(settings)
    },
    'every-host',
  )
  scope.onChanges(valuesChanged, (tenants) => {
    if (tenants !== 'all' && !tenants.includes('0')) return
    readLimits(settings).then(
      (read) => (limits = read),
      (error: unknown) => scope.log.error({ err: error }, 'the limits of plugins cannot be read'),
    )
  })
  limits = await readLimits(settings)
  return () => limits
}

/** Only what somebody set: a default says nothing against what a plugin was granted. */
async function readLimits(settings: ConfigReader): Promise<Limits> {
  const limits: Partial<Record<LimitName, number>> = {}
  for (const [key, name] of limitKeys) {
    const item = await settings.item(key)
    if (item?.source === 'platform') limits[name] = Number(item.value)
  }
  return limits
}
