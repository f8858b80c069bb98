import type { IconName } from '../ui/icons.ts'

const icons: Readonly<Record<string, IconName>> = {
  ...{
    http: 'connection',
    'http:any': 'warning',
    storage: 'folder',
    'storage:driver': 'folder',
    'db:own_tables': 'rows',
  },
  ...{ events: 'activity', config: 'settings', ui: 'monitor', routes: 'route', schedule: 'clock', notify: 'bell' },
  ...{ mail: 'mail', captcha: 'shield', 'ai:invoke': 'sparkles', 'ai:provider': 'bot', 'ai:tool': 'tools' },
  ...{ 'ai:guardrail': 'shield', 'ai:router': 'route', 'users:read_basic': 'users', 'attachments:read': 'attach' },
  ...{ 'attachments:write': 'upload', 'services:use': 'plug', 'services:provide': 'plug-zap', license: 'key' },
  ...{ licensing: 'receipt', limits: 'gauge' },
}

/** Capabilities that a plugin may ask for; `limits` and `licensing` are none that an index names. */
export const knownCapabilities = Object.keys(icons).filter((name) => name !== 'limits' && name !== 'licensing')

/** The icon of a capability. */
export function iconOfCapability(capability: string): IconName {
  return icons[capability] ?? 'puzzle'
}
