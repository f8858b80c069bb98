import { aiQuotaWarned } from '../../ai-ledger/contract.ts'
import { configChangeDecided, configChanged, configChangeRequested } from '../../config/contract.ts'
import { notificationsAnnounced } from '../../notifications/contract.ts'
import { pluginsDisabled, pluginsEnabled, pluginsLicenseChanged, pluginsUpgraded } from '../../plugins/contract.ts'
import { tenantsDomainChanged } from '../../tenants/contract.ts'
import { usersRegistered } from '../../users/contract.ts'
import { keyOf } from '../connections/keys.ts'
import { member, membersOf, wireEvent, type Told, type WireEvent, type WireSources } from './wire-event.ts'

const { number, text, texts } = member
const namespace = 'tenant'
/** What stands in the back office of a tenant is for those who may enter it. */
const enter = 'console_tenant:enter'
const settings = [enter, 'tenant_config:groups']

/** What concerns a tenant. */
export const tenantEvents: readonly WireEvent[] = [
  wireEvent({
    name: 'announcement.published',
    namespace,
    summary: 'Something was announced: the list of announcements is read again',
    data: membersOf({ id: member.uuid, level: text }),
    from: notificationsAnnounced,
    tell: ({ tenants, roles, id, level }) =>
      (tenants === 'all' ? ['*' as const] : tenants).map((tenant) => ({
        key: keyOf.tenant(tenant),
        data: { id, level },
        ...(roles.length > 0 && { roles }),
      })),
  }),
  wireEvent({
    name: 'config.updated',
    namespace,
    summary: 'Settings of the tenant changed',
    data: membersOf({ group: text, keys: texts }),
    permissions: settings,
    from: configChanged,
    tell: ({ tenantId, group, keys }) => ofTenant(tenantId, { group, keys }),
  }),
  wireEvent({
    name: 'config.change_requested',
    namespace,
    summary: 'A change of settings waits for the platform',
    data: membersOf({ request_id: number, group: text, keys: texts }),
    permissions: settings,
    from: configChangeRequested,
    tell: ({ tenantId, requestId, group, keys }) => ofTenant(tenantId, { request_id: requestId, group, keys }),
  }),
  wireEvent({
    name: 'config.change_decided',
    namespace,
    summary: 'The platform decided on a change of settings',
    data: membersOf({ request_id: number, state: { enum: ['approved', 'rejected'] } }),
    permissions: settings,
    from: configChangeDecided,
    tell: ({ tenantId, requestId, state }) => ofTenant(tenantId, { request_id: requestId, state }),
  }),
  wireEvent({
    name: 'plugin.enabled',
    namespace,
    summary: 'A plugin of the tenant was enabled',
    data: membersOf({ name: text, version: text }),
    permissions: [enter],
    from: pluginsEnabled,
    tell: ({ name, version }, sources) => ofAssigned(sources, name, { name, version }),
  }),
  wireEvent({
    name: 'plugin.disabled',
    namespace,
    summary: 'A plugin of the tenant was disabled',
    data: membersOf({ name: text, version: text }),
    permissions: [enter],
    from: pluginsDisabled,
    tell: ({ name, version }, sources) => ofAssigned(sources, name, { name, version }),
  }),
  wireEvent({
    name: 'plugin.updated',
    namespace,
    summary: 'Another release of a plugin of the tenant runs',
    data: membersOf({ name: text, version: text, release_hash: member.maybeText }),
    permissions: [enter],
    from: pluginsUpgraded,
    async tell({ name, to }, sources) {
      const [plugin] = await sources.directory.list([name])
      return ofAssigned(sources, name, { name, version: to, release_hash: plugin?.release.treeHash ?? null })
    },
  }),
  wireEvent({
    name: 'plugin.license_changed',
    namespace,
    summary: 'How a plugin is licensed for the tenant changed',
    data: membersOf({ name: text, state: text }),
    permissions: [enter],
    from: pluginsLicenseChanged,
    tell: ({ tenantId, plugin, state }) => ofTenant(tenantId, { name: plugin, state }),
  }),
  wireEvent({
    name: 'user.registered',
    namespace,
    summary: 'Somebody registered',
    data: membersOf({ user_id: number, status: text }),
    permissions: [enter, 'tenant_user:list'],
    from: usersRegistered,
    tell: ({ tenantId, userId, status }) => ofTenant(tenantId, { user_id: userId, status }),
  }),
  wireEvent({
    name: 'domain.status',
    namespace,
    summary: 'A domain of the tenant was verified or lost',
    data: membersOf({ domain: text, status: text }),
    permissions: [enter, 'tenant_domain:list'],
    from: tenantsDomainChanged,
    tell: ({ tenantId, domain, status }) => ofTenant(tenantId, { domain, status }),
  }),
  wireEvent({
    name: 'quota.threshold',
    namespace,
    summary: 'A quota is used up to one of the shares that it warns at',
    data: membersOf({ quota_id: text, percent: { type: 'number' } }),
    permissions: [enter, 'tenant_ai_quota:list'],
    from: aiQuotaWarned,
    tell: ({ tenantId, quotaId, percent }) => ofTenant(tenantId, { quota_id: quotaId, percent }),
  }),
]

/** Nothing for what is the platform's. */
function ofTenant(tenantId: number, data: Told['data']): readonly Told[] {
  return tenantId > 0 ? [{ key: keyOf.tenant(tenantId), data }] : []
}

function ofAssigned({ plugins }: Pick<WireSources, 'plugins'>, name: string, data: Told['data']): readonly Told[] {
  return plugins.tenantsOf(name).flatMap((tenantId) => ofTenant(tenantId, data))
}
