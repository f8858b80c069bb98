import type { RouteLocationRaw } from 'vue-router'
import type { OverviewBody } from '../../../ai/wire.ts'
import type { ConfigChangeBody } from '../../../config/wire.ts'
import type { SourceBody, UpdatesBody } from '../../../plugin-index/wire.ts'
import type { EndingLicencesBody } from '../../../plugin-licences/wire.ts'
import type { PluginListBody } from '../../../plugins/wire.ts'
import type { DomainBody } from '../../../tenants/wire.ts'
import type { UserBody } from '../../../users/wire.ts'
import type { Page } from '../ui/list/use-list.ts'

/** Something that waits for the reader, and where it is seen to. */
export interface Waiting {
  readonly key:
    | 'plugins'
    | 'updates'
    | 'security'
    | 'sources'
    | 'changes'
    | 'quotasNear'
    | 'quotasOut'
    | 'alerts'
    | 'approvals'
    | 'domains'
    | 'licences'
  readonly count: number
  readonly to: RouteLocationRaw
  readonly status?: string
}

/** Where it is asked for. */
export interface WaitingSource {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly permission: string
  readonly read: (answer: never) => readonly Waiting[]
}

function source<T>(
  path: string,
  permission: string,
  read: (answer: T) => readonly Waiting[],
  query?: WaitingSource['query'],
): WaitingSource {
  return { path, permission, read: (answer: never) => read(answer), ...(query && { query }) }
}

/** What waits for the platform's administrators. */
export const platformWaiting: readonly WaitingSource[] = [
  source<PluginListBody>(
    '/admin/plugins',
    'platform_plugin:list',
    ({ counts }) =>
      ['awaiting_consent', 'quarantined', 'broken'].map((status) => ({
        ...{ key: 'plugins', count: counts[status] ?? 0, status },
        to: { path: '/admin/plugins', query: { status } },
      })),
    { page_size: 1 },
  ),
  source<UpdatesBody>(
    '/admin/plugins/updates',
    'marketplace:browse',
    ({ available, security }) => [
      { key: 'security', count: security, to: '/admin/updates' },
      { key: 'updates', count: available - security, to: '/admin/updates' },
    ],
    { page_size: 1 },
  ),
  source<{ readonly items: readonly SourceBody[] }>('/admin/plugins/sources', 'marketplace:sources', ({ items }) => [
    {
      ...{ key: 'sources', to: '/admin/plugin-sources' },
      count: items.filter(({ status }) => status === 'failing' || status === 'stale').length,
    },
  ]),
  source<EndingLicencesBody>(
    '/admin/plugins/ending-licenses',
    'platform_plugin:license',
    ({ items, total }) => {
      const [plugin, another] = new Set(items.map((each) => each.plugin))
      const isOne = plugin !== undefined && another === undefined
      return [{ key: 'licences', count: total, to: isOne ? `/admin/plugins/${plugin}/licence` : '/admin/plugins' }]
    },
    { days: 14, page_size: 100 },
  ),
  source<Page<ConfigChangeBody>>(
    '/admin/configs/changes',
    'platform_config:update',
    ({ total }) => [
      { key: 'changes', count: total, to: { path: '/admin/config-changes', query: { state: 'pending' } } },
    ],
    { state: 'pending', page_size: 1 },
  ),
  source<OverviewBody>('/admin/ai/health', 'ai_health:read', ({ quotas, alerts }) => [
    { key: 'alerts', count: alerts.length, to: '/admin/ai/health' },
    { key: 'quotasOut', count: quotas.exhausted, to: '/admin/ai/quotas' },
    { key: 'quotasNear', count: quotas.near_limit, to: '/admin/ai/quotas' },
  ]),
]

/** What waits for a tenant's. */
export const tenantWaiting: readonly WaitingSource[] = [
  source<Page<UserBody>>(
    '/tenant/users',
    'tenant_user:approve',
    ({ total }) => [
      { key: 'approvals', count: total, to: { path: '/tenant/users', query: { status: 'pending_approval' } } },
    ],
    { status: 'pending_approval', page_size: 1 },
  ),
  source<Page<DomainBody>>(
    '/tenant/domains',
    'tenant_domain:list',
    ({ items }) => [
      {
        ...{ key: 'domains', to: '/tenant/domains' },
        count: items.filter(({ status }) => status === 'failed' || status === 'superseded').length,
      },
    ],
    { page_size: 100 },
  ),
  source<Page<ConfigChangeBody>>(
    '/tenant/configs/changes',
    'tenant_config:update',
    ({ total }) => [
      { key: 'changes', count: total, to: { path: '/tenant/config-changes', query: { state: 'pending' } } },
    ],
    { state: 'pending', page_size: 1 },
  ),
]
