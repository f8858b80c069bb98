import type { PermissionRegistry } from '#kernel'
import type { Knex } from 'knex'
import type { PermissionSource } from '../../access/contract.ts'
import { AssignmentRow } from '../models.ts'

/** Roles of a tenant that may do everything there, plugins included. */
const WHOLE_TENANT = new Set(['tenant_owner', 'tenant_admin'])

/** Gives owners and administrators of a tenant the tenant permissions of the plugins assigned to it. */
export function createPermissionSource(registry: PermissionRegistry): PermissionSource {
  return {
    async permissions(tenantId, roleCodes, db) {
      if (tenantId === 0 || !roleCodes.some((code) => WHOLE_TENANT.has(code))) return []
      const names = await namesFor(db, tenantId)
      return registry.list().flatMap(({ name, plugin, scope }) => (scope === 'TENANT' && names.has(plugin) ? name : []))
    },
  }
}

/** Read from the database: an answer made right after a change must not come from before it. */
async function namesFor(db: Knex, tenantId: number): Promise<ReadonlySet<string>> {
  const assigned = AssignmentRow.of(tenantId, db).where({ assigned: true }).select('plugin_id')
  const rows = await db('plugins')
    .where({ scope: 'platform' })
    .orWhereIn(
      'id',
      (await assigned).map(({ pluginId }) => pluginId),
    )
    .select<{ name: string }[]>('name')
  return new Set(rows.map(({ name }) => name))
}
