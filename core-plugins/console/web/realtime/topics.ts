import type { SharedNews } from '../tab/tabs.ts'

/** What happened, as the platform tells it. */
export type News = SharedNews
/** The three groups of listeners. */
export type Namespace = News['namespace']

/** What is done through pages is written there as well. */
const audit = ['/admin/audit-logs', '/tenant/audit-logs']
const plugins = ['/admin/plugins', '/tenant/plugins', '/plugins', '/admin/ai/agent-tools', ...audit]
const settings = ['/admin/configs', '/tenant/configs', ...audit]
const access = [
  ...['/admin/roles', '/tenant/roles', '/tenant/orgs', '/admin/users', '/tenant/users', 'roles', '/plugins/slots'],
  ...audit,
]
const chats = ['/ai/agent-chat/conversations']

/** By the name of an event, or its beginning: where what it makes old was read. */
const paths: Readonly<Record<string, readonly string[]>> = {
  'ai.alert': ['/admin/ai'],
  'alert.raised': ['/admin/system'],
  announcement: ['/announcements', '/admin/announcements', '/tenant/announcements', ...audit],
  attachment: ['/attachments', '/admin/attachments', '/tenant/attachments'],
  config: settings,
  conversation: chats,
  domain: ['/tenant/domains', ...audit],
  health: ['health', '/admin/system'],
  menus: plugins,
  message: chats,
  notification: ['/notifications'],
  permission: access,
  plugin: plugins,
  'plugin.sources_changed': [...plugins, '/admin/plugin-sources'],
  preference: ['/preferences', ...audit],
  quota: ['/admin/ai/quotas', '/tenant/ai/quotas', ...audit],
  security: ['/admin/users', ...audit],
  session: ['/auth/sessions', '/admin/auth/sessions', ...audit],
  tenant: ['/admin/tenants', ...audit],
  usage: ['/admin/ai/usage'],
  user: ['/tenant/users', ...audit],
}

/** Beginnings of the paths whose answers an event makes old. */
export function pathsOf(event: string): readonly string[] {
  const [group = ''] = event.split('.')
  return paths[event] ?? paths[group] ?? []
}

/** Whether an answer that was read at a place is among them. */
export function isBelow(place: unknown, beginnings: Iterable<string>): boolean {
  if (typeof place !== 'string') return false
  for (const beginning of beginnings) if (place === beginning || place.startsWith(`${beginning}/`)) return true
  return false
}
