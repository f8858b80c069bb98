import { lockUntilCommit } from '#kernel'
import type { Knex } from 'knex'
import type { PluginLicences, WatchedPlugin } from '../../plugins/contract.ts'
import type { TenantDirectory } from '../../tenants/contract.ts'
import type { LicenceBook, LicenceState } from '../books/licence-book.ts'
import type { LicenceClock } from '../books/licence-clock.ts'
import { statesLock } from '../licence-rows.ts'
import { phaseOf, type LicenceNews } from '../books/licence-phase.ts'
import { LicenceStateRow } from '../books/models.ts'
import { readLicenceBooks } from '../books/read-books.ts'
import type { TellAdministrators } from './tell-administrators.ts'

/** What a watch stands on. */
interface LicenceWatchParts {
  readonly db: Knex
  readonly licences: Pick<PluginLicences, 'watched' | 'isInstalled' | 'note' | 'announce'>
  readonly tenants: Pick<TenantDirectory, 'named'>
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
    const { licences, clock, db } = this.#parts
    const plugins = licences.watched()
    if (plugins === this.#followed && clock.now() < this.#until) return
    await clock.keep(db)
    const watched = [...plugins.values()].filter(({ removing }) => !removing)
    const books = await readLicenceBooks(
      db,
      watched.map(({ id, scope, licences: { isCommercial } }) => ({ id, scope, isCommercial })),
    )
    let until = Infinity
    for (const plugin of watched) {
      const book = books.get(plugin.id)
      if (book) until = Math.min(until, await this.#follow(plugin, book))
    }
    this.#until = until
    this.#followed = plugins
  }

  /** Answers when the plugin is to be looked at again. */
  async #follow(plugin: WatchedPlugin, book: LicenceBook): Promise<number> {
    const { tenants, scope } = plugin
    if (book.isEmpty && !book.isCommercial) return Infinity
    const now = this.#parts.clock.now()
    const ids = new Set([...book.tenants, ...(scope === 'platform' ? [] : tenants.keys())])
    const phases = [...ids].map((tenantId) => {
      const standing = book.of(tenantId, now)
      const { phase, news, until } = phaseOf(standing, now)
      const expiresAt = standing.expiresAt === null ? null : new Date(standing.expiresAt)
      return { tenantId, state: standing.state, phase, expiresAt, news, until }
    })
    await this.#tell(plugin, phases)
    return Math.min(...phases.map(({ until }) => until), Infinity)
  }

  async #tell(plugin: WatchedPlugin, found: readonly Told[]): Promise<void> {
    const { db, licences, tell } = this.#parts
    const changes = await db.transaction((trx) => this.#writeDown(trx, plugin, found))
    for (const { tenantId, state, isOtherState } of changes) {
      if (isOtherState) await licences.announce({ plugin: plugin.name, tenantId, state })
    }
    for (const [news, concerned] of Map.groupBy(changes, (change) => change.news)) {
      const tenantIds = concerned.map(({ tenantId }) => tenantId)
      if (news) await tell({ plugin: plugin.name, news, tenantIds, endsAt: concerned[0]?.expiresAt ?? null })
    }
  }

  /** Writes down what is not yet; answers what changed. A host that lags behind writes nothing back. */
  async #writeDown(trx: Knex.Transaction, { id, generation }: WatchedPlugin, found: readonly Told[]) {
    const { licences, tenants } = this.#parts
    await lockUntilCommit(trx, statesLock)
    // It may have been uninstalled meanwhile.
    if (!(await licences.isInstalled(trx, id))) return []
    const rows = await LicenceStateRow.acrossTenants(trx).where({ plugin_id: id })
    const known = new Map(rows.map((row) => [row.tenantId, row]))
    // Whoever was deleted since the licences were read is not written down again.
    const living = await tenants.named(
      found.map(({ tenantId }) => tenantId),
      trx,
    )
    const changes = found.flatMap((told) => {
      if (told.tenantId !== 0 && !living.has(told.tenantId)) return []
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
    for (const [state, concerned] of Map.groupBy(changes, (change) => change.state)) {
      await licences.note(
        trx,
        id,
        concerned.map(({ tenantId }) => tenantId),
        state,
      )
    }
    return changes
  }
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
