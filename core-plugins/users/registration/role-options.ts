import { coversPermission, type PermissionRegistry } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigCheck, ConfigOption } from '../../config/contract.ts'
import { initialRole } from './default-role.ts'
import { texts } from '../texts/texts.ts'

/** Every role of a tenant as the one of newcomers; those that give more than users hold cannot be chosen. */
export async function listRoleOptions(
  access: Access,
  registry: PermissionRegistry,
  tenantId: number,
): Promise<readonly ConfigOption[]> {
  // What the platform chooses holds for every tenant, and no other role that newcomers may get is there in all of them.
  if (tenantId === 0) return [{ value: initialRole, label: texts.of('role.user') }]
  const others = registry.list().flatMap(({ name, scope }) => (scope === 'USER' ? [] : [name]))
  const roles = await access.listRoles(tenantId)
  return roles.map(({ code, name, permissions }) => {
    const isAbove = permissions.some(
      (held) => !isUsers(held, registry) || others.some((name) => coversPermission(held, name)),
    )
    return { value: code, label: { default: name }, disabled: isAbove }
  })
}

/** Refuses the choice of a role that is not there or gives more than users hold. */
export function checkDefaultRole(list: (tenantId: number) => Promise<readonly ConfigOption[]>): ConfigCheck {
  return {
    groups: ['tenant_login'],
    async check({ tenantId, keys, values }) {
      if (!keys.includes('default_role')) return []
      const chosen = (await list(tenantId)).find(({ value }) => value === values['default_role'])
      if (chosen && !chosen.disabled) return []
      const message = texts.of('default_role.options')
      return [{ key: 'default_role', rule: 'options', message }]
    },
  }
}

function isUsers(held: string, registry: PermissionRegistry): boolean {
  return held.endsWith(':*') || registry.find(held)?.scope === 'USER'
}
