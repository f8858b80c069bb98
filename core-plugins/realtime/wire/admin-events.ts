import { tenantsCreated, tenantsUpdated } from '#kernel'
import { aiQuotaWarned, aiReportReady } from '../../ai-ledger/contract.ts'
import { refreshReused } from '../../auth/contract.ts'
import { configChangeDecided, configChanged, configChangeRequested } from '../../config/contract.ts'
import { jobsDied } from '../../jobs/contract.ts'
import { notificationsAnnounced } from '../../notifications/contract.ts'
import { pluginSourcesChanged } from '../../plugin-index/contract.ts'
import {
  pluginsAppearanceChanged,
  pluginsConsentWanted,
  pluginsLicenseChanged,
  pluginsOperationEnded,
  pluginsProgressed,
  pluginsQuarantined,
} from '../../plugins/contract.ts'
import { healthChanged } from '../../system/contract.ts'
import { keyOf } from '../connections/keys.ts'
import { member, membersOf, wireEvent, type Told, type WireEvent, type WireSources } from './wire-event.ts'

const { maybeNumber, maybeText, number, text, texts, uuid } = member
const namespace = 'admin'
const pluginReaders = ['platform_plugin:list']
const operation = membersOf({
  plugin_id: { type: ['integer', 'null'] },
  plugin: text,
  operation_id: uuid,
  kind: text,
  operation: text,
  step: maybeText,
  index: { ...maybeNumber, description: 'The place of the step among those of its kind, from 1' },
  total: maybeNumber,
  message: { ...maybeText, description: 'Why it came to nothing, in the platform’s language' },
  error: {
    type: ['object', 'null'],
    required: ['code', 'reason', 'message'],
    properties: { code: number, reason: text, message: text },
    description: 'Why it came to nothing',
  },
  state: { enum: ['running', 'succeeded', 'failed', 'aborted'] },
})

/** What concerns the platform's staff. */
export const adminEvents: readonly WireEvent[] = [
  wireEvent({
    name: 'plugin.operation',
    namespace,
    summary: 'An operation on a plugin got further',
    data: operation,
    permissions: pluginReaders,
    from: pluginsProgressed,
    tell: (at, sources) => ofOperation(at, 'running', sources),
  }),
  wireEvent({
    name: 'plugin.operation',
    namespace,
    summary: 'An operation on a plugin ended',
    data: operation,
    permissions: pluginReaders,
    from: pluginsOperationEnded,
    tell: (at, sources) => ofOperation(at, at.state, sources),
  }),
  wireEvent({
    name: 'announcement.published',
    namespace,
    summary: 'Something was announced to the platform’s staff',
    data: membersOf({ id: uuid, level: text }),
    from: notificationsAnnounced,
    tell: ({ staff, id, level }) => (staff ? admin({ id, level }) : []),
  }),
  wireEvent({
    name: 'plugin.consent_wanted',
    namespace,
    summary: 'A release asks for more than was granted',
    data: membersOf({ name: text, version: text }),
    permissions: pluginReaders,
    from: pluginsConsentWanted,
    tell: ({ name, version }) => admin({ name, version }),
  }),
  wireEvent({
    name: 'plugin.quarantined',
    namespace,
    summary: 'A plugin was stopped because it failed too often',
    data: membersOf({ name: text, reason: text }),
    permissions: pluginReaders,
    from: pluginsQuarantined,
    tell: ({ name, reason }) => admin({ name, reason }),
  }),
  wireEvent({
    name: 'plugin.license_changed',
    namespace,
    summary: 'How a plugin is licensed changed, for a tenant or with 0 for the platform',
    data: membersOf({ name: text, tenant_id: number, state: text }),
    permissions: pluginReaders,
    from: pluginsLicenseChanged,
    tell: ({ plugin, tenantId, state }) => admin({ name: plugin, tenant_id: tenantId, state }),
  }),
  wireEvent({
    name: 'plugin.sources_changed',
    namespace,
    summary: 'An index source was added, changed, removed or read anew',
    data: membersOf({ source: text }),
    permissions: pluginReaders,
    from: pluginSourcesChanged,
    tell: ({ source }) => admin({ source }),
  }),
  wireEvent({
    name: 'menus.changed',
    namespace,
    summary: 'The picture or the menu entries of a plugin changed',
    data: membersOf({ plugin: text }),
    from: pluginsAppearanceChanged,
    tell: ({ name }) => admin({ plugin: name }),
  }),
  wireEvent({
    name: 'tenant.created',
    namespace,
    summary: 'A tenant was created',
    data: membersOf({ tenant_id: number, code: text }),
    permissions: ['platform_tenant:list'],
    from: tenantsCreated,
    tell: ({ tenantId, code }) => admin({ tenant_id: tenantId, code }),
  }),
  wireEvent({
    name: 'tenant.updated',
    namespace,
    summary: 'A tenant’s name, status or domains changed',
    data: membersOf({ tenant_id: number }),
    permissions: ['platform_tenant:list'],
    from: tenantsUpdated,
    tell: ({ tenantId }) => admin({ tenant_id: tenantId }),
  }),
  wireEvent({
    name: 'health.changed',
    namespace,
    summary: 'A part of a host stopped answering, or answers again',
    data: membersOf({ status: text, checks: { type: 'object' } }),
    permissions: ['platform_health:read'],
    from: healthChanged,
    tell: ({ status, checks }) => admin({ status, checks }),
  }),
  wireEvent({
    name: 'alert.raised',
    namespace,
    summary: 'A job was given up',
    data: membersOf({ id: text, level: text, source: text, message: text }),
    permissions: ['platform_job:list'],
    from: jobsDied,
    tell: ({ id, kind, error }) => admin({ id, level: 'error', source: 'jobs', message: `${kind}: ${error}` }),
  }),
  wireEvent({
    name: 'config.updated',
    namespace,
    summary: 'Settings of the platform, or what tenants begin with, changed',
    data: membersOf({ group: text, keys: texts }),
    permissions: ['platform_config:groups'],
    from: configChanged,
    tell: ({ tenantId, group, keys }) => (tenantId === 0 ? admin({ group, keys }) : []),
  }),
  wireEvent({
    name: 'config.change_requested',
    namespace,
    summary: 'A tenant asks for a change of its settings',
    data: membersOf({ tenant_id: number, request_id: number, group: text, keys: texts }),
    permissions: ['platform_config:groups'],
    from: configChangeRequested,
    tell: ({ tenantId, requestId, group, keys }) => admin({ tenant_id: tenantId, request_id: requestId, group, keys }),
  }),
  wireEvent({
    name: 'config.change_decided',
    namespace,
    summary: 'A change that a tenant asked for was decided on',
    data: membersOf({ tenant_id: number, request_id: number, state: text }),
    permissions: ['platform_config:groups'],
    from: configChangeDecided,
    tell: ({ tenantId, requestId, state }) => admin({ tenant_id: tenantId, request_id: requestId, state }),
  }),
  wireEvent({
    name: 'quota.threshold',
    namespace,
    summary: 'A quota of the platform or a tenant is used up to one of the shares that it warns at',
    data: membersOf({ tenant_id: number, quota_id: text, percent: { type: 'number' } }),
    permissions: ['ai_quota:list'],
    from: aiQuotaWarned,
    tell: ({ tenantId, quotaId, percent }) => admin({ tenant_id: tenantId, quota_id: quotaId, percent }),
  }),
  wireEvent({
    name: 'security.refresh_reused',
    namespace,
    summary: 'A refresh token came back after it was exchanged, and its session was ended',
    data: membersOf({ tenant_id: number, user_id: number, session_id: uuid }),
    permissions: ['platform_user:list'],
    from: refreshReused,
    tell: ({ tenantId, userId, sessionId }) => admin({ tenant_id: tenantId, user_id: userId, session_id: sessionId }),
  }),
  wireEvent({
    name: 'usage.report_ready',
    namespace,
    summary: 'A report of usage and costs was made for the platform',
    data: membersOf({ report_id: text }),
    permissions: ['ai_usage:read'],
    from: aiReportReady,
    tell: ({ tenantId, reportId }) => (tenantId === 0 ? admin({ report_id: reportId }) : []),
  }),
]

function admin(data: Told['data']): readonly Told[] {
  return [{ key: keyOf.admin(), data }]
}

/** What is told of an operation by its steps and by its end. */
interface OperationNews {
  readonly plugin: string
  readonly operationId: string
  readonly kind: string
  readonly step?: string
  readonly index?: number
  readonly total?: number
  readonly error?: { readonly code: number; readonly reason: string; readonly message: string }
}

async function ofOperation(
  { plugin, operationId, kind, step, index, total, error }: OperationNews,
  state: string,
  { directory }: Pick<WireSources, 'directory'>,
): Promise<readonly Told[]> {
  const [installed] = await directory.list([plugin])
  const facts = { plugin_id: installed?.id ?? null, plugin, operation_id: operationId, kind, operation: kind }
  const place = { step: step ?? null, index: index ?? null, total: total ?? null }
  const why = error ? { code: error.code, reason: error.reason, message: error.message } : null
  return admin({ ...facts, ...place, state, message: why?.message ?? null, error: why })
}
