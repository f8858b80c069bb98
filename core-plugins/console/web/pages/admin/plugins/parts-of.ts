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

/** The tabs of a plugin that the caller may open. */
export function partsOf({ config_groups: groups = [] }: PluginDetail): readonly string[] {
  return parts
    .filter(
      ({ name, permission }) =>
        session.can(permission) && (name !== 'settings' || groups.some((group) => group.endsWith('.platform'))),
    )
    .map(({ name }) => name)
}
