import type { PluginDetail } from '../../../plugins/wire.ts'
import { session } from '../../../session/session.ts'

const parts = [
  { name: 'overview', permission: 'platform_plugin:detail' },
  { name: 'rights', permission: 'platform_plugin:detail' },
  { name: 'settings', permission: 'platform_plugin:config' },
  { name: 'tenants', permission: 'platform_plugin:detail' },
  { name: 'menu', permission: 'platform_plugin:detail' },
  { name: 'releases', permission: 'platform_plugin:detail' },
  { name: 'operations', permission: 'platform_plugin:detail' },
  { name: 'figures', permission: 'platform_plugin:detail' },
  { name: 'schedules', permission: 'platform_plugin:detail' },
  { name: 'events', permission: 'platform_plugin:detail' },
  { name: 'backups', permission: 'platform_plugin:backup' },
  { name: 'licence', permission: 'platform_plugin:license' },
  { name: 'maintenance', permission: 'platform_plugin:repair' },
  { name: 'history', permission: 'platform_audit:list' },
] as const

/** A tab; one of the plugin's own has a title. */
interface Part {
  readonly name: string
  readonly title?: string
}

/** The tabs of a plugin that the caller may open, those that it draws itself beside the settings of the console. */
export function partsOf({ config_groups: groups = [] }: PluginDetail, own: readonly Part[]): readonly Part[] {
  const hasSettings = groups.some((group) => group.endsWith('.platform'))
  return parts.flatMap(({ name, permission }): readonly Part[] => {
    if (!session.can(permission)) return []
    if (name !== 'settings') return [{ name }]
    return [...(hasSettings ? [{ name }] : []), ...own]
  })
}
