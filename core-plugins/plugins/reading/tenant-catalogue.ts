import { presentPage, type Page, type Principal } from '#kernel'
import { consentItems, declareConfig, type Slot } from '#sandbox'
import { riskOf } from '../consent/risk.ts'
import type { Knex } from 'knex'
import { PluginNotFoundError } from '../shared/errors.ts'
import { GrantRow, PluginRow, type AssignmentRow } from '../shared/models.ts'
import { openSlots } from '../shared/open-slots.ts'
import { noCapability } from '../running/grants.ts'
import type { InstalledPlugin } from './installed-plugin.ts'
import { presentSlot } from './present-slot.ts'
import { presentForTenant } from './present.ts'
import type { SaveTimes } from '../shared/save-times.ts'
import type { Assignments } from '../tenants/assignments.ts'
import type { Catalogue } from './catalogue.ts'
import { findUsedByTenant } from './used-services.ts'
import { uploaded, type PluginFilter } from './plugin-filter.ts'

/** Which plugins a tenant's list shows. */
interface TenantListing extends PluginFilter {
  /** Only those that the tenant has switched on, or off. */
  readonly enabled?: boolean | undefined
}

/** Slot of a manifest → key of the answer. */
const slotKeys = {
  header_widget: 'header_widgets',
  dashboard_widget: 'dashboard_widgets',
  settings_tab: 'settings_tabs',
  floating_panel: 'floating_panels',
  page: 'pages',
  notification_ui: 'notification_ui',
} as const satisfies Record<Slot['slot'], string>

interface VisiblePlugin extends InstalledPlugin {
  readonly assignment: AssignmentRow | undefined
  readonly isEnabled: boolean
}

/** What callers see of plugins: a tenant's users those that are theirs, administrators every one that runs. */
export class TenantCatalogue {
  readonly #db: Knex
  readonly #catalogue: Catalogue
  readonly #assignments: Assignments
  readonly #saves: SaveTimes | undefined

  /** With when authors saved what runs, where they work on plugins. */
  constructor(db: Knex, catalogue: Catalogue, assignments: Assignments, saves: SaveTimes | undefined) {
    this.#db = db
    this.#catalogue = catalogue
    this.#assignments = assignments
    this.#saves = saves
  }

  /** The plugins assigned to the caller's tenant that the caller may manage, or has a front-end entry to. */
  async list(page: Page, filter: TenantListing, principal: Principal, locale: string) {
    const assigned = (await this.#assigned(principal.tenantId, page.sort)).filter((plugin) => fits(plugin, filter))
    // Who sees what stands in manifests and in the caller's roles: there are never more than the installed plugins to look at.
    const visible = assigned.filter((plugin) => isVisible(plugin, principal) && isMeant(plugin, page.q))
    const shown = visible.slice(page.offset, page.offset + page.size)
    const items = await this.#present(shown, principal, locale)
    return presentPage(page, visible.length, await this.#withCapabilities(items, shown, principal))
  }

  /** One plugin as the caller sees it, with what it may do; throws 404/4046 for one that the caller does not see. */
  async get(plugin: PluginRow, principal: Principal, locale: string) {
    const visible = await this.#getVisible(plugin, principal)
    const [shown] = await this.#present([visible], principal, locale)
    const { manifest } = visible.release
    const { license, homepage = null } = manifest
    const groups = declareConfig(manifest).filter(({ scope }) => scope === 'ALL_TENANTS')
    const grants = await this.#grants([visible])
    return {
      ...{ ...shown, license, homepage, rights: presentRights(visible, grants) },
      config_groups: groups.map(({ code }) => code),
      uses: await findUsedByTenant(this.#db, manifest, await this.#given(principal.tenantId)),
    }
  }

  /** Throws 404/4046 for a plugin that the caller does not see. */
  async requireVisible(plugin: PluginRow, principal: Principal): Promise<void> {
    await this.#getVisible(plugin, principal)
  }

  /** The slots that the caller may see, by kind. */
  async slots(principal: Principal, locale: string) {
    const area = principal.scope === 'platform' ? 'admin' : 'tenant'
    const plugins = area === 'admin' ? await this.#running() : await this.#assigned(principal.tenantId)
    const shown = { locale, saves: this.#saves }
    const slots: Record<string, object[]> = Object.fromEntries(Object.values(slotKeys).map((key) => [key, []]))
    for (const { plugin, release, isEnabled, assignment } of plugins) {
      if (!isEnabled || plugin.status !== 'enabled' || assignment?.capabilitiesDenied.includes('ui')) continue
      for (const slot of visibleSlots({ plugin, release }, area, principal)) {
        slots[slotKeys[slot.slot]]?.push(presentSlot({ plugin, release }, slot, principal, shown))
      }
    }
    return slots
  }

  async #present(plugins: readonly VisiblePlugin[], principal: Principal, locale: string) {
    const rows = plugins.map(({ plugin }) => plugin)
    const licensing = await this.#catalogue.licensing(rows, principal.tenantId)
    return plugins.map((each) => ({
      ...presentVisible(each, principal, locale),
      licensing: licensing.get(each.plugin.id),
    }))
  }

  /** Who may read what each may do sees it in the list too: what was granted, less what the tenant refuses. */
  async #withCapabilities<T>(items: readonly T[], plugins: readonly VisiblePlugin[], principal: Principal) {
    if (!principal.can('tenant_plugin:list')) return items
    const grants = Map.groupBy(await this.#grants(plugins), ({ pluginId }) => pluginId)
    return items.map((item, index) => ({ ...item, capabilities: heldBy(plugins[index], grants) }))
  }

  /** What the releases in use were granted. */
  async #grants(plugins: readonly InstalledPlugin[]): Promise<readonly GrantRow[]> {
    const releases = new Map(plugins.map(({ plugin, release }) => [plugin.id, release.treeHash]))
    const rows = await GrantRow.with(this.#db).whereIn('plugin_id', [...releases.keys()])
    return rows.filter(({ pluginId, releaseHash }) => releases.get(pluginId) === releaseHash)
  }

  async #getVisible({ id }: PluginRow, principal: Principal): Promise<VisiblePlugin> {
    const assigned = await this.#assigned(principal.tenantId)
    const found = assigned.find(({ plugin }) => plugin.id === id)
    if (!found || !isVisible(found, principal)) throw new PluginNotFoundError()
    return found
  }

  async #assigned(tenantId: number, sort: Page['sort'] = []): Promise<readonly VisiblePlugin[]> {
    const assignments = await this.#assignments.ofTenant(tenantId)
    const rows = await PluginRow.with(this.#db)
      .where({ removing: false })
      .whereIn('status', ['enabled', 'quarantined'])
      .where((query) => void query.where({ scope: 'platform' }).orWhereIn('id', [...assignments.keys()]))
      .orderBy([...sort, { column: 'name' }])
    const installed = await this.#catalogue.withReleases(rows)
    return installed.map(({ plugin, release }) => {
      const assignment = assignments.get(plugin.id)
      const isEnabled = plugin.scope === 'platform' || Boolean(assignment?.enabledByTenant)
      return { plugin, release, assignment, isEnabled }
    })
  }

  async #given(tenantId: number) {
    const assigned = await this.#assigned(tenantId)
    return new Map(
      assigned.map(({ plugin: { name, status }, isEnabled, assignment }) => {
        const isDenied = assignment?.capabilitiesDenied.includes('services:provide') ?? false
        return [name, { isEnabled: isEnabled && status === 'enabled', isDenied }]
      }),
    )
  }

  async #running(): Promise<readonly VisiblePlugin[]> {
    const rows = await PluginRow.with(this.#db).where({ removing: false, status: 'enabled' }).orderBy('name')
    const installed = await this.#catalogue.withReleases(rows)
    return installed.map((plugin) => ({ ...plugin, assignment: undefined, isEnabled: true }))
  }
}

/** Who manages plugins sees those that are switched off too; everybody else those with an entry of theirs. */
function isVisible({ isEnabled, ...installed }: VisiblePlugin, principal: Principal): boolean {
  if (principal.can('tenant_plugin:list')) return true
  return isEnabled && visibleSlots(installed, 'tenant', principal).length > 0
}

function fits(
  { plugin, release, isEnabled }: VisiblePlugin,
  { status, scope, trust, source, enabled }: TenantListing,
): boolean {
  return (
    (enabled === undefined || isEnabled === enabled) &&
    (status === undefined || plugin.status === status) &&
    (scope === undefined || plugin.scope === scope) &&
    (trust === undefined || release.trust === trust) &&
    (source === undefined || (plugin.source ?? uploaded) === source)
  )
}

function isMeant({ plugin, release }: InstalledPlugin, q: string): boolean {
  const texts = [plugin.name, ...Object.values<string>(release.manifest.title)]
  return texts.some((text) => text.toLowerCase().includes(q.toLowerCase()))
}

function presentVisible({ isEnabled, assignment, ...installed }: VisiblePlugin, principal: Principal, locale: string) {
  const slots = visibleSlots(installed, 'tenant', principal).map(({ slot, id }) => ({ slot, id }))
  const more = { enabled: isEnabled, denied: assignment?.capabilitiesDenied ?? [] }
  return { ...presentForTenant(installed, more, locale), slots }
}

function heldBy(plugin: VisiblePlugin | undefined, grants: ReadonlyMap<number, readonly GrantRow[]>) {
  if (!plugin) return []
  const rights = presentRights(plugin, grants.get(plugin.plugin.id) ?? [])
  return rights.filter(({ denied }) => !denied).map(({ capability }) => capability)
}

/** What it asked for and was granted, less what administrators took back, and what of that the tenant refuses. */
function presentRights({ plugin, release, assignment }: VisiblePlugin, grants: readonly GrantRow[]) {
  const given = new Set(grants.map(({ capability }) => capability))
  const isWithheld = new Set(plugin.withheld)
  const isDenied = new Set(assignment?.capabilitiesDenied)
  return consentItems(release.manifest)
    .filter(({ capability }) => !noCapability.has(capability) && given.has(capability) && !isWithheld.has(capability))
    .map(({ capability, optional, reason, detail }) => ({
      ...{ capability, optional, reason: reason ?? null, detail: detail ?? null },
      risk: riskOf({ capability }, release.manifest),
      denied: isDenied.has(capability),
    }))
}

function visibleSlots(
  { plugin, release: { manifest } }: InstalledPlugin,
  area: NonNullable<Slot['area']>,
  principal: Principal,
): readonly Slot[] {
  // Its pages are not served any more.
  return plugin.withheld.includes('ui') ? [] : openSlots(manifest, area, principal)
}
