import type { Said } from '#kernel'
import type { Knex } from 'knex'
import type { LicenceBook } from '../contract-licences.ts'
import { AssignmentRow, PluginRow } from '../shared/models.ts'
import { freeBook, type LicenceSlot } from './licence-slot.ts'
import { readLicensed } from './read-licensed.ts'

/** A tenant that a plugin is assigned to. */
interface DesiredTenant {
  readonly isEnabled: boolean
  /** The optional capabilities that it refused, and what administrators took back from the plugin. */
  readonly denied: ReadonlySet<string>
}

/** One plugin as it is wanted, with the tenants it is assigned to. */
export interface DesiredPlugin {
  readonly id: number
  readonly name: string
  readonly scope: 'platform' | 'tenant'
  readonly status: PluginRow['status']
  /** Why it is in this state, where somebody said so. */
  readonly reason: PluginRow['reason']
  readonly removing: boolean
  readonly releaseId: number
  readonly epoch: number
  readonly gate: PluginRow['gate']
  readonly generation: string
  readonly menuConfig: PluginRow['menuConfig']
  /** The capabilities that administrators took back. */
  readonly withheld: ReadonlySet<string>
  readonly tenants: ReadonlyMap<number, DesiredTenant>
  readonly licences: LicenceBook
}

/** Begins a new generation; the row stays locked until the transaction ends, so generations are seen in order. */
export async function nextGeneration(trx: Knex.Transaction): Promise<number> {
  const rows = await trx('plugin_desired_state').update({ generation: trx.raw('generation + 1') }, ['generation'])
  return Number((rows as { generation: string }[])[0]?.generation)
}

/** What changes of a plugin; a reason that is text alone stays as it was written. */
type PluginChange = Partial<
  Pick<PluginRow, 'status' | 'removing' | 'gate' | 'activeRelease' | 'menuConfig' | 'icon' | 'withheld'>
> & { readonly reason?: Said | string | null }

/** Changes what is wanted of a plugin; `reload` makes every host load it anew. Answers the generation to wait for. */
export async function wantPlugin(
  trx: Knex.Transaction,
  id: number,
  { reason, ...change }: PluginChange,
  { reload = false }: { reload?: boolean } = {},
): Promise<number> {
  // The plugin before the generation, everywhere: who held them the other way round would wait for each other for ever.
  const row = await PluginRow.with(trx).findById(id).forUpdate()
  const generation = await nextGeneration(trx)
  const epoch = (row?.epoch ?? 0) + (reload ? 1 : 0)
  await PluginRow.with(trx)
    .findById(id)
    .patch({
      ...change,
      ...(reason !== undefined && reasonColumns(reason)),
      epoch,
      generation: String(generation),
      updatedAt: new Date(),
    })
  return generation
}

function reasonColumns(reason: Said | string | null): Pick<PluginRow, 'reason' | 'reasonSaid'> {
  if (reason === null || typeof reason === 'string') return { reason, reasonSaid: null }
  return { reason: reason.words, reasonSaid: reason }
}

/** The generation that is wanted now. */
export async function currentGeneration(db: Knex): Promise<number> {
  const row = await db('plugin_desired_state').first<{ generation: string }>('generation')
  return Number(row.generation)
}

/** What is wanted of every plugin; those that did not change are taken from what is known. */
export async function readDesired(
  db: Knex,
  licences: Pick<LicenceSlot, 'read'>,
  known: ReadonlyMap<string, DesiredPlugin>,
): Promise<ReadonlyMap<string, DesiredPlugin>> {
  const rows = await PluginRow.with(db).orderBy('id')
  const changed = rows.filter(({ name, id, generation }) => {
    const before = known.get(name)
    return before?.id !== id || before.generation !== generation
  })
  const tenants = await readTenants(db, changed)
  const books = await licences.read(await readLicensed(db, changed))
  const fresh = new Set(changed)
  return new Map(
    rows.map((row) => {
      const before = known.get(row.name)
      if (before && !fresh.has(row)) return [row.name, before]
      return [row.name, present(row, tenants.get(row.id) ?? new Map(), books.get(row.id) ?? freeBook)]
    }),
  )
}

async function readTenants(
  db: Knex,
  plugins: readonly Pick<PluginRow, 'id' | 'withheld'>[],
): Promise<Map<number, Map<number, DesiredTenant>>> {
  const tenants = new Map<number, Map<number, DesiredTenant>>()
  if (plugins.length === 0) return tenants
  const withheld = new Map(plugins.map((plugin) => [plugin.id, plugin.withheld]))
  const rows = await AssignmentRow.acrossTenants(db)
    .whereIn('plugin_id', [...withheld.keys()])
    .where({ assigned: true })
  for (const { pluginId, tenantId, enabledByTenant: isEnabled, capabilitiesDenied } of rows) {
    const ofPlugin = tenants.get(pluginId) ?? new Map<number, DesiredTenant>()
    const denied = new Set([...capabilitiesDenied, ...(withheld.get(pluginId) ?? [])])
    tenants.set(pluginId, ofPlugin.set(tenantId, { isEnabled, denied }))
  }
  return tenants
}

function present(row: PluginRow, tenants: DesiredPlugin['tenants'], licences: LicenceBook): DesiredPlugin {
  const { id, name, scope, status, reason, removing, epoch, gate, generation, menuConfig } = row
  return {
    id,
    name,
    scope,
    status,
    reason,
    removing,
    epoch,
    gate,
    generation,
    menuConfig,
    withheld: new Set(row.withheld),
    releaseId: row.activeRelease,
    tenants,
    licences,
  }
}
