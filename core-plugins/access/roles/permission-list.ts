import type { Knex } from 'knex'
import type { Permission, PermissionRegistry, Principal } from '#kernel'
import type { GrantReader } from '../grants/grant-reader.ts'
import type { RoleArea } from './role-area.ts'

/** What roles of an area may be given, by resource; of third-party plugins only what reaches the tenant. */
export async function listPermissions(
  { db, grants, registry }: { readonly db: Knex; readonly grants: GrantReader; readonly registry: PermissionRegistry },
  area: RoleArea,
  principal: Principal,
) {
  const reaching = new Set(await grants.givenTo(principal.tenantId, ['tenant_owner'], db))
  const isOffered = ({ name, scope }: Permission): boolean =>
    area.scopes.has(scope) && (area.auth === 'platform' || !name.startsWith('plugin.') || reaching.has(name))
  const byResource = Map.groupBy(registry.list().filter(isOffered), ({ name }) => name.slice(0, name.lastIndexOf(':')))
  const items = [...byResource].flatMap(([resource, [first, ...others]]) => {
    if (!first) return []
    const actions = [first, ...others].map(({ name, sentence }) => {
      return {
        action: name.slice(resource.length + 1),
        permission: name,
        title: sentence,
        grantable: principal.can(name),
      }
    })
    return [{ resource, scope: first.scope, plugin: first.plugin, data_scoped: first.dataScoped, actions }]
  })
  return { items }
}
