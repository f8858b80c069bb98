import type { PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import type { ConfigWriter, ExportedValue } from '../../config/contract.ts'

/** A setting that names what a plugin provides; tenant 0 is the platform, whose value is every tenant's default. */
interface Pointer {
  readonly kind: 'captcha' | 'storage'
  readonly tenant_id: number
  readonly key: string
  readonly value: string
}

/** Groups whose settings choose a provider, and the settings that do. */
const choices = [
  { kind: 'captcha', groups: ['platform_captcha', 'tenant_captcha'], keys: ['captcha_provider', 'captcha_plugin'] },
  { kind: 'storage', groups: ['platform_storage', 'tenant_storage'], keys: ['storage_driver'] },
] as const

/** The settings, of the platform and of every tenant, that chose what a plugin provides. */
export async function findPointers(
  db: Knex,
  config: Pick<ConfigWriter, 'exportGroup'>,
  { name, provides }: Pick<PluginManifest, 'name' | 'provides'>,
): Promise<readonly Pointer[]> {
  const provided = {
    captcha: new Set([...(provides?.captcha ? [provides.captcha.code] : []), name]),
    storage: new Set((provides?.storageDrivers ?? []).map((driver) => driver.name)),
  }
  return db.transaction(async (trx) => {
    const found: Pointer[] = []
    for (const { kind, groups, keys } of choices) {
      if (kind === 'captcha' && !provides?.captcha) continue
      for (const group of groups) {
        const values = await config.exportGroup(group, trx)
        const chosen = values.filter(({ key }) => keys.some((wanted) => wanted === key))
        found.push(...chosen.flatMap((value) => pointerOf(kind, value, provided[kind])))
      }
    }
    return found
  })
}

function pointerOf(kind: Pointer['kind'], stored: ExportedValue, provided: ReadonlySet<string>): readonly Pointer[] {
  const value: unknown = JSON.parse(stored.value)
  if (typeof value !== 'string' || !provided.has(value)) return []
  return [{ kind, tenant_id: stored.tenantId, key: stored.key, value }]
}
