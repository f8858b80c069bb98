import type { Permission } from '#kernel'
import { declarePermissions, type PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import type { PermissionSource } from '../../access/contract.ts'
import { AssignmentRow, type PluginStatus } from '../shared/models.ts'

/** Roles of a tenant that may do everything there, plugins included. */
const wholeTenant = new Set(['tenant_owner', 'tenant_admin'])
/** A plugin that is paused keeps its routes, and its callers their rights. */
const running: readonly PluginStatus[] = ['enabled', 'quarantined']

/**
 * Gives owners and administrators of a tenant the tenant permissions of the plugins assigned to it. They follow from what is installed, and
 * not from what the host that is asked has loaded: its answer is kept for all hosts.
 */
export function createPermissionSource(): PermissionSource {
  return {
    async permissions(tenantId, roleCodes, db) {
      if (tenantId === 0 || !roleCodes.some((code) => wholeTenant.has(code))) return []
      return (await declaredFor(db, tenantId)).map(({ name }) => name)
    },
    declared: (tenantId, db) => declaredFor(db, tenantId),
  }
}

/** What plugins declare for the tenant's side, or the platform's. */
async function declaredFor(db: Knex, tenantId: number): Promise<readonly Permission[]> {
  const side = tenantId === 0 ? 'ADMIN' : 'TENANT'
  return (await manifestsFor(db, tenantId)).flatMap((manifest) =>
    declarePermissions(manifest)
      .filter(({ scope }) => scope === side)
      .flatMap(({ resource, actions }) =>
        Object.entries(actions).map(([action, sentence]) => {
          return { name: `${resource}:${action}`, scope: side, sentence, plugin: manifest.name, dataScoped: false }
        }),
      ),
  )
}

/** Read from the database: an answer made right after a change must not come from before it. */
async function manifestsFor(db: Knex, tenantId: number): Promise<readonly PluginManifest[]> {
  const ids = tenantId === 0 ? undefined : await assignedTo(db, tenantId)
  const rows = await db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .whereIn('plugins.status', [...running])
    .where({ 'plugins.removing': false })
    .where((query) => void (ids && query.where({ 'plugins.scope': 'platform' }).orWhereIn('plugins.id', ids)))
    .orderBy('plugins.id')
    .select<{ manifest: PluginManifest }[]>('plugin_releases.manifest')
  return rows.map(({ manifest }) => manifest)
}

async function assignedTo(db: Knex, tenantId: number): Promise<readonly number[]> {
  const assigned = await AssignmentRow.of(tenantId, db).where({ assigned: true }).select('plugin_id')
  return assigned.map(({ pluginId }) => pluginId)
}
