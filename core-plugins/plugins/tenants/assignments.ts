import { ValidationFailedError, type Principal } from '#kernel'
import type { Knex } from 'knex'
import {
  CapabilityNotOptionalError,
  PluginNotAssignableError,
  PluginNotFoundError,
  PluginStatusError,
} from '../shared/errors.ts'
import { AssignmentRow, PluginRow } from '../shared/models.ts'
import type { TenantNeeds } from './needs.ts'
import { getAssignment } from '../shared/find-plugin.ts'
import { getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'

/** Who may use which plugin, and who does; where no actor is named the platform acts of its own accord. */
export class Assignments {
  readonly #parts: TenantNeeds

  constructor(parts: TenantNeeds) {
    this.#parts = parts
  }

  /** Lets tenants use a plugin; it runs for each once the tenant enables it. */
  async assign(plugin: PluginRow, tenantIds: readonly number[], actor: Principal | null): Promise<void> {
    if (plugin.scope === 'platform') throw new PluginNotAssignableError()
    await this.#requireTenants(tenantIds)
    const ids = [...new Set(tenantIds)]
    await this.#change(plugin, ids, async (trx) => {
      const rows = ids.map((tenantId) => ({ pluginId: plugin.id, tenantId, assigned: true }))
      await AssignmentRow.acrossTenants(trx).insert(rows).onConflict(['plugin_id', 'tenant_id']).merge(['assigned'])
      await this.#record(trx, plugin, actor, 'plugin.assigned', { tenant_ids: ids })
    })
  }

  /** Takes a plugin from a tenant: it stops there, what the tenant keeps in it stays. */
  async unassign(plugin: PluginRow, tenantId: number, actor: Principal): Promise<void> {
    await this.#change(plugin, [tenantId], async (trx) => {
      const changed = await AssignmentRow.of(tenantId, trx)
        .where({ plugin_id: plugin.id, assigned: true })
        .patch({ assigned: false, enabledByTenant: false, updatedAt: new Date() })
      if (changed > 0) await this.#record(trx, plugin, actor, 'plugin.unassigned', { tenant_id: tenantId })
    })
  }

  /** A tenant's own switch, with the optional capabilities that it refuses. */
  async switchForTenant(
    plugin: PluginRow,
    tenantId: number,
    { enabled, denied }: { enabled: boolean; denied?: readonly string[] | undefined },
    actor: Principal | null,
  ): Promise<void> {
    // First of all, because what is not theirs is not there for them, in whatever state.
    await this.getForTenant(plugin, tenantId)
    if (enabled && plugin.status !== 'enabled') throw new PluginStatusError({ status: plugin.status })
    if (denied) await this.#requireOptional(plugin, denied)
    await this.#change(plugin, [tenantId], async (trx) => {
      const row = await AssignmentRow.of(tenantId, trx).findOne({ plugin_id: plugin.id, assigned: true }).forUpdate()
      if (!row) throw new PluginNotFoundError()
      await AssignmentRow.of(tenantId, trx)
        .where({ plugin_id: plugin.id })
        .patch({ enabledByTenant: enabled, updatedAt: new Date(), ...(denied && { capabilitiesDenied: denied }) })
      const action = enabled ? 'plugin.enabled_by_tenant' : 'plugin.disabled_by_tenant'
      await this.#record(trx, plugin, actor, action, { denied: denied ?? row.capabilitiesDenied }, tenantId)
    })
  }

  /** What a tenant may use: its assignments by plugin id, platform plugins aside. */
  async ofTenant(tenantId: number): Promise<ReadonlyMap<number, AssignmentRow>> {
    const rows = await AssignmentRow.of(tenantId, this.#parts.db).where({ assigned: true })
    return new Map(rows.map((row) => [row.pluginId, row]))
  }

  /** How many plugins are assigned to some tenants. */
  async countIn(tenantIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = (await AssignmentRow.acrossTenants(this.#parts.db)
      .select('tenant_id')
      .count('* as count')
      .where('assigned', true)
      .whereRaw('tenant_id = any(?::int[])', [[...tenantIds]])
      .groupBy('tenant_id')) as unknown as readonly { readonly tenantId: number; readonly count: string }[]
    return new Map(rows.map(({ tenantId, count }) => [tenantId, Number(count)]))
  }

  /** A plugin that a tenant may use; throws 404/4046 for every other one. */
  getForTenant(plugin: PluginRow, tenantId: number): Promise<AssignmentRow | undefined> {
    return getAssignment(this.#parts.db, plugin, tenantId)
  }

  async #change(
    plugin: PluginRow,
    tenantIds: readonly number[],
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    const { db, operations, access } = this.#parts
    const generation = await db.transaction(async (trx) => {
      // An uninstall waits for this row, and this waits for an uninstall.
      const row = await PluginRow.with(trx).findById(plugin.id).forUpdate()
      if (!row || row.removing) throw new PluginNotFoundError()
      await work(trx)
      return wantPlugin(trx, plugin.id, {})
    })
    await settle(this.#parts, generation, operations.signal)
    for (const tenantId of tenantIds) await access.invalidate(tenantId)
  }

  async #record(
    trx: Knex.Transaction,
    { name }: PluginRow,
    actor: Principal | null,
    action: string,
    after: object,
    tenantId = 0,
  ): Promise<void> {
    await this.#parts.audit.record({ tenantId, actor, action, target: `plugin:${name}`, after }, trx)
  }

  async #requireTenants(tenantIds: readonly number[]): Promise<void> {
    const known = new Set((await this.#parts.tenants.list()).map(({ id }) => id))
    const unknown = tenantIds.filter((id) => !known.has(id))
    if (unknown.length === 0) return
    throw new ValidationFailedError({
      errors: unknown.map((id) => ({
        field: 'tenant_ids',
        rule: 'exists',
        message: 'There is no such tenant',
        params: { id },
      })),
    })
  }

  async #requireOptional(plugin: PluginRow, denied: readonly string[]): Promise<void> {
    const { manifest } = await getRelease(this.#parts.db, plugin.activeRelease)
    const optional: readonly string[] = manifest.optionalCapabilities ?? []
    const wrong = denied.find((capability) => !optional.includes(capability))
    if (wrong !== undefined) throw new CapabilityNotOptionalError({ capability: wrong })
  }
}
