import { lockUntilCommit, type Scope } from '#kernel'
import type { Knex } from 'knex'
import { pluginsLicenseChanged } from '../contract.ts'
import { AssignmentRow, PluginRow } from '../shared/models.ts'
import type { DesiredPlugin } from '../running/desired-state.ts'
import type { RunningState } from '../running/running-state.ts'
import type { LicenceState } from '../licence-book/licence-book.ts'
import type { LicenceClock } from '../licence-book/licence-clock.ts'
import { phaseOf, type LicenceNews } from '../licence-book/licence-phase.ts'
import { LicenceStateRow } from '../licence-book/models.ts'
import type { TellAdministrators } from './tell-administrators.ts'

/** What a watch stands on. */
interface LicenceWatchParts {
  readonly db: Knex
  readonly emit: Scope['emit']
  readonly state: RunningState
  readonly clock: LicenceClock
  readonly tell: TellAdministrators
}

interface Told {
  readonly tenantId: number
  readonly state: LicenceState
  readonly phase: number
  readonly expiresAt: Date | null
  readonly news: LicenceNews | undefined
}

/**
 * Notices when licences begin, end or come near their end, and tells it once across the hosts. What runs does not wait for it:
 * every call asks the licences themselves. A host that dies between writing down and telling leaves that one untold.
 */
export class LicenceWatch {
  readonly #parts: LicenceWatchParts
  #followed: unknown
  #until = 0

  constructor(parts: LicenceWatchParts) {
    this.#parts = parts
  }

  /** Costs nothing while neither a licence nor the time of one changed. */
  async look(): Promise<void> {
    const { state, clock, db } = this.#parts
    const { plugins } = state
    if (plugins === this.#followed && clock.now() < this.#until) return
    await clock.keep(db)
    let until = Infinity
    for (const plugin of plugins.values()) until = Math.min(until, await this.#follow(plugin))
    this.#until = until
    this.#followed = plugins
  }

  /** Answers when the plugin is to be looked at again. */
  async #follow(plugin: DesiredPlugin): Promise<number> {
    const { licences, tenants, removing, scope } = plugin
    if (removing || (licences.isEmpty && !licences.isCommercial)) return Infinity
    const now = this.#parts.clock.now()
    const ids = new Set([...licences.tenants, ...(scope === 'platform' ? [] : tenants.keys())])
    const phases = [...ids].map((tenantId) => {
      const standing = licences.of(tenantId, now)
      const { phase, news, until } = phaseOf(standing, now)
      const expiresAt = standing.expiresAt === null ? null : new Date(standing.expiresAt)
      return { tenantId, state: standing.state, phase, expiresAt, news, until }
    })
    await this.#tell(plugin, phases)
    return Math.min(...phases.map(({ until }) => until), Infinity)
  }

  async #tell(plugin: DesiredPlugin, found: readonly Told[]): Promise<void> {
    const { db, emit, tell } = this.#parts
    const changes = await db.transaction((trx) => writeDown(trx, plugin, found))
    for (const { tenantId, state, isOtherState } of changes) {
      if (isOtherState) await emit(pluginsLicenseChanged, { plugin: plugin.name, tenantId, state })
    }
    for (const [news, concerned] of Map.groupBy(changes, (change) => change.news)) {
      const tenantIds = concerned.map(({ tenantId }) => tenantId)
      if (news) await tell({ plugin: plugin.name, news, tenantIds, endsAt: concerned[0]?.expiresAt ?? null })
    }
  }
}

/** Writes down what is not yet; answers what changed. A host that lags behind writes nothing back. */
async function writeDown(trx: Knex.Transaction, { id, generation }: DesiredPlugin, found: readonly Told[]) {
  await lockUntilCommit(trx, `plugins.licences:${id}`)
  // It may have been uninstalled meanwhile.
  if (!(await PluginRow.with(trx).findById(id).forKeyShare())) return []
  const rows = await LicenceStateRow.acrossTenants(trx).where({ plugin_id: id })
  const known = new Map(rows.map((row) => [row.tenantId, row]))
  const changes = found.flatMap((told) => {
    const before = known.get(told.tenantId)
    if (!before && told.state === 'none') return []
    if (before && !isNews(before, told, generation)) return []
    const isOtherState = (before?.state ?? 'none') !== told.state
    return [{ ...told, isOtherState }]
  })
  if (changes.length === 0) return []
  const written = changes.map(({ tenantId, state, phase, expiresAt }) => {
    return { pluginId: id, tenantId, state, phase, expiresAt, generation }
  })
  await LicenceStateRow.acrossTenants(trx)
    .insert(written)
    .onConflict(['plugin_id', 'tenant_id'])
    .merge(['state', 'phase', 'expires_at', 'generation'])
  for (const [licenseState, concerned] of Map.groupBy(changes, ({ state }) => state)) {
    const tenantIds = concerned.map(({ tenantId }) => tenantId)
    await AssignmentRow.acrossTenants(trx)
      .where({ plugin_id: id })
      .whereIn('tenant_id', tenantIds)
      .patch({ licenseState })
  }
  return changes
}

function isNews(before: LicenceStateRow, told: Told, generation: string): boolean {
  const isSame =
    before.state === told.state &&
    before.phase === told.phase &&
    before.expiresAt?.getTime() === told.expiresAt?.getTime()
  if (isSame) return false
  if (before.generation === generation) return told.phase > before.phase
  return BigInt(generation) > BigInt(before.generation)
}
