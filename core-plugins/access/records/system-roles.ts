import type { Permission } from '#kernel'
import type { DataScope } from '../contract.ts'

/** A role that every platform or tenant has; what it holds follows from what the core plugins declare. */
interface SystemRole {
  readonly code: string
  readonly name: string
  readonly dataScope: DataScope
  holds(permission: Permission): boolean
}

/** The right to everything. */
const everything = '*:*'

const reading = new Set(['list', 'detail', 'read', 'groups', 'usage', 'metrics', 'logs', 'stats', 'enter'])
const operated = /^(platform_tenant|platform_plugin|platform_health|marketplace|ai_\w+|console_admin):/
/** What reaches into tenants, or past a plugin's code: the highest role alone has it, and whoever that gives it to. */
const exceptional = new Set([
  'platform_tenant:impersonate',
  'platform_plugin:force_cleanup',
  'platform_plugin:backup_download',
  'ai_health:payloads',
])
const nodeManaged = new Set([
  ...['list', 'detail', 'create', 'update'].map((action) => `tenant_user:${action}`),
  ...['list', 'detail', 'update'].map((action) => `tenant_org:${action}`),
  'console_tenant:enter',
])

const isForUser = ({ scope }: Permission): boolean => scope === 'USER'
const isForTenant = ({ scope }: Permission): boolean => scope === 'TENANT' || scope === 'USER'

/** The platform's four. */
const platformRoles: readonly SystemRole[] = [
  { code: 'super_admin', name: 'Super administrator', dataScope: 'ALL', holds: () => true },
  {
    code: 'platform_admin',
    name: 'Platform administrator',
    dataScope: 'ALL',
    holds: ({ scope, name }) => scope === 'ADMIN' && !name.startsWith('platform_role:') && !exceptional.has(name),
  },
  {
    code: 'platform_operator',
    name: 'Platform operator',
    dataScope: 'ALL',
    holds: ({ scope, name }) => scope === 'ADMIN' && operated.test(name) && !exceptional.has(name),
  },
  {
    code: 'platform_auditor',
    name: 'Platform auditor',
    dataScope: 'ALL',
    holds: ({ scope, name }) => scope === 'ADMIN' && reading.has(name.slice(name.lastIndexOf(':') + 1)),
  },
]

/** The five of every tenant. */
export const tenantRoles: readonly SystemRole[] = [
  { code: 'tenant_owner', name: 'Owner', dataScope: 'ALL', holds: isForTenant },
  { code: 'tenant_admin', name: 'Administrator', dataScope: 'ALL', holds: isForTenant },
  {
    code: 'org_admin',
    name: 'Organisation administrator',
    dataScope: 'ORG_AND_CHILDREN',
    holds: (permission) => isForUser(permission) || nodeManaged.has(permission.name),
  },
  { code: 'tenant_user', name: 'User', dataScope: 'SELF', holds: isForUser },
  {
    code: 'tenant_guest',
    name: 'Guest',
    dataScope: 'SELF',
    holds: ({ scope, name }) => scope === 'USER' && /^user_(profile:\w+|agent:(list|chat))$/.test(name),
  },
]

const byCode = new Map([...platformRoles, ...tenantRoles].map((role) => [role.code, role]))

/** What a system role holds of the permissions given; those of third-party plugins come by assignment or by a role's edit. */
export function systemPermissions(code: string, permissions: readonly Permission[]): readonly string[] {
  if (code === 'super_admin') return [everything]
  const role = byCode.get(code)
  if (!role) return []
  return permissions.flatMap((permission) =>
    !permission.name.startsWith('plugin.') && role.holds(permission) ? [permission.name] : [],
  )
}

/** Whether a role is given to users themselves and never through the organisation: somebody must always hold it. */
export function isHeldInPerson(code: string): boolean {
  return code === 'super_admin' || code === 'tenant_owner'
}
