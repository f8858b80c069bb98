import { presentPage, type Page, type TextTeller } from '#kernel'
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { TenantDirectory } from '../../tenants/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { PackageIndex } from '../contract-packages.ts'
import { freeBook, type LicenceSlot } from '../running/licence-slot.ts'
import { readLicensed } from '../running/read-licensed.ts'
import { AssignmentRow, PluginRow, ReleaseRow } from '../shared/models.ts'
import type { InstalledPlugin } from './installed-plugin.ts'
import { presentDetail, presentLicensing, presentPlugin } from './present.ts'
import { readActors } from './present-operation.ts'
import { readFacts, type PluginFacts } from './plugin-facts.ts'
import { filterPlugins, type PluginFilter } from './plugin-filter.ts'

/** Which plugins are listed, and whether to somebody who may read why they stopped. */
interface PluginListing extends Omit<PluginFilter, 'ids'> {
  readonly withReasons: boolean
  /** Only those that this tenant may use. */
  readonly tenant_id?: number | undefined
}

/** How many tenants may use a plugin, and how many of them do. */
interface TenantCounts {
  readonly assigned: number
  readonly enabled: number
}

type CatalogueIndex = Pick<PackageIndex, 'findUpdates' | 'findRevocations'>

/** What administrators read of installed plugins. */
export class Catalogue {
  readonly #db: Knex
  readonly #index: CatalogueIndex
  readonly #licences: Pick<LicenceSlot, 'now' | 'read'>
  readonly #teller: TextTeller
  readonly #tenants: Pick<TenantDirectory, 'named'>
  readonly #users: Pick<UserDirectory, 'list'>

  constructor(
    db: Knex,
    {
      index,
      licences,
      teller,
      tenants,
      users,
    }: {
      readonly index: CatalogueIndex
      readonly licences: Pick<LicenceSlot, 'now' | 'read'>
      readonly teller: TextTeller
      readonly tenants: Pick<TenantDirectory, 'named'>
      readonly users: Pick<UserDirectory, 'list'>
    },
  ) {
    this.#db = db
    this.#index = index
    this.#licences = licences
    this.#teller = teller
    this.#tenants = tenants
    this.#users = users
  }

  /** A page of plugins, with how many there are in each status whichever is asked for. */
  async list(page: Page, { withReasons, tenant_id: tenantId, ...asked }: PluginListing, locale: string) {
    const assigned = tenantId === undefined ? undefined : await this.#assigned(tenantId)
    const filter = { ...asked, ids: assigned && [...assigned.keys()] }
    const query = filterPlugins(PluginRow.with(this.#db), filter, page)
    const total = await query.clone().resultSize()
    const rows = await query
      .orderBy([...page.sort])
      .limit(page.size)
      .offset(page.offset)
    const installed = await this.withReleases(rows)
    const updates = await this.#index.findUpdates(rows.map(({ name }) => name))
    const ids = rows.map(({ id }) => id)
    const [revocations, tenants] = await Promise.all([this.#index.findRevocations(ids), this.#tenantCounts(ids)])
    const items = installed.map((plugin) => ({
      ...presentPlugin(plugin, updates.get(plugin.plugin.name), { teller: this.#teller, locale }),
      // It may be in the words of the plugin's author.
      ...(!withReasons && { reason: null }),
      revoked: revocations.get(plugin.plugin.id) ?? null,
      // One of the platform runs for every tenant.
      tenant_counts:
        plugin.plugin.scope === 'platform' ? null : (tenants.get(plugin.plugin.id) ?? { assigned: 0, enabled: 0 }),
      ...(assigned && { enabled_by_tenant: assigned.get(plugin.plugin.id)?.enabledByTenant ?? false }),
    }))
    return { ...presentPage(page, total, items), counts: await this.#counts(page, filter) }
  }

  /** Everything about one plugin, with the consent it waits for. */
  async detail(plugin: PluginRow, locale: string) {
    const updates = await this.#index.findUpdates([plugin.name])
    const revocations = await this.#index.findRevocations([plugin.id])
    const facts = await this.facts(plugin)
    const names = await this.#tenants.named(facts.tenants.map(({ tenantId }) => tenantId))
    const actors = await readActors(this.#users, [facts.lastOperation, ...facts.running])
    const detail = presentDetail({ ...facts, names, actors }, updates.get(plugin.name), {
      teller: this.#teller,
      locale,
    })
    const licensing = (await this.licensing([facts.plugin], 0)).get(plugin.id)
    return { ...detail, revoked: revocations.get(plugin.id) ?? null, licensing }
  }

  /** How plugins are licensed for a tenant (0 = the platform), by plugin id. */
  async licensing(plugins: readonly PluginRow[], tenantId: number) {
    const books = await this.#licences.read(await readLicensed(this.#db, plugins))
    const now = this.#licences.now()
    return new Map(plugins.map(({ id }) => [id, presentLicensing(books.get(id) ?? freeBook, tenantId, now)]))
  }

  /** Everything about one plugin, as it is known here. */
  facts(plugin: PluginRow): Promise<PluginFacts> {
    return readFacts(this.#db, plugin)
  }

  /** Plugins with their active releases, and those that wait for a consent. */
  async withReleases(plugins: readonly PluginRow[]): Promise<readonly InstalledPlugin[]> {
    const ids = plugins.flatMap(({ activeRelease, pendingRelease }) => [activeRelease, pendingRelease ?? []].flat())
    const releases = await ReleaseRow.with(this.#db).findByIds([...new Set(ids)])
    const byId = new Map(releases.map((release) => [release.id, release]))
    return plugins.flatMap((plugin) => {
      const release = byId.get(plugin.activeRelease)
      return release ? { plugin, release, pending: byId.get(plugin.pendingRelease ?? 0) } : []
    })
  }

  async #assigned(tenantId: number): Promise<ReadonlyMap<number, AssignmentRow>> {
    const rows = await AssignmentRow.of(tenantId, this.#db).where({ assigned: true })
    return new Map(rows.map((row) => [row.pluginId, row]))
  }

  async #tenantCounts(ids: readonly number[]): Promise<ReadonlyMap<number, TenantCounts>> {
    const rows = (await AssignmentRow.acrossTenants(this.#db)
      .select('plugin_id')
      .count('* as assigned')
      .select(raw('count(*) filter (where enabled_by_tenant) as enabled'))
      .where('assigned', true)
      .whereRaw('plugin_id = any(?::int[])', [[...ids]])
      .groupBy('plugin_id')) as unknown as readonly { pluginId: number; assigned: string; enabled: string }[]
    return new Map(rows.map((row) => [row.pluginId, { assigned: Number(row.assigned), enabled: Number(row.enabled) }]))
  }

  async #counts(page: Page, filter: PluginFilter): Promise<Readonly<Record<string, number>>> {
    const rows = (await filterPlugins(PluginRow.with(this.#db), { ...filter, status: undefined }, page)
      .select('status', 'removing')
      .count('* as count')
      .groupBy('status', 'removing')) as object as { status: string; removing: boolean; count: string }[]
    const counts: Record<string, number> = {}
    for (const { status, removing, count } of rows) {
      const name = removing ? 'removing' : status
      counts[name] = (counts[name] ?? 0) + Number(count)
    }
    return counts
  }
}
