import { presentPage, type Page, type Principal } from '#kernel'
import { permissionCode, type PluginManifest, type Slot } from '#sandbox'
import type { Knex } from 'knex'
import { PluginRow, type AssignmentRow } from '../models.ts'
import { localised, presentForTenant, type InstalledPlugin } from '../present.ts'
import type { Assignments } from '../tenants/assignments.ts'
import type { Catalogue } from './catalogue.ts'

/** Slot of a manifest → key of the answer. */
const SLOT_KEYS = {
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

  constructor(db: Knex, catalogue: Catalogue, assignments: Assignments) {
    this.#db = db
    this.#catalogue = catalogue
    this.#assignments = assignments
  }

  /** The plugins assigned to the caller's tenant that the caller may manage, or has a front-end entry to. */
  async list(page: Page, principal: Principal, locale: string) {
    const assigned = await this.#assigned(principal.tenantId)
    const maySeeAll = principal.can('tenant_plugin:list')
    const visible = assigned.filter(({ plugin, release, isEnabled }) => {
      return plugin.name.includes(page.q) && (maySeeAll || (isEnabled && hasEntry(release.manifest, principal)))
    })
    const items = visible.slice(page.offset, page.offset + page.size).map(({ isEnabled, assignment, ...installed }) => {
      const more = { enabled: isEnabled, denied: assignment?.capabilitiesDenied ?? [] }
      return presentForTenant(installed, more, locale)
    })
    return presentPage(page, visible.length, items)
  }

  /** The slots that the caller may see, by kind. */
  async slots(principal: Principal, locale: string) {
    const area = principal.scope === 'platform' ? 'admin' : 'tenant'
    const plugins = area === 'admin' ? await this.#running() : await this.#assigned(principal.tenantId)
    const slots: Record<string, object[]> = Object.fromEntries(Object.values(SLOT_KEYS).map((key) => [key, []]))
    for (const { plugin, release, isEnabled } of plugins) {
      if (!isEnabled || plugin.status !== 'enabled') continue
      for (const slot of visibleSlots(release.manifest, area, principal)) {
        slots[SLOT_KEYS[slot.slot]]?.push({
          plugin: plugin.name,
          id: slot.id,
          title: localised(slot.title ?? release.manifest.title, locale),
          url: `/plugin-ui/${plugin.name}/${release.treeHash}/${slot.entry}`,
          size: slot.size ?? null,
        })
      }
    }
    return slots
  }

  async #assigned(tenantId: number): Promise<readonly VisiblePlugin[]> {
    const assignments = await this.#assignments.ofTenant(tenantId)
    const rows = await PluginRow.with(this.#db)
      .where({ removing: false, status: 'enabled' })
      .where((query) => void query.where({ scope: 'platform' }).orWhereIn('id', [...assignments.keys()]))
      .orderBy('name')
    const installed = await this.#catalogue.withReleases(rows)
    return installed.map(({ plugin, release }) => {
      const assignment = assignments.get(plugin.id)
      return {
        plugin,
        release,
        assignment,
        isEnabled: plugin.scope === 'platform' || Boolean(assignment?.enabledByTenant),
      }
    })
  }

  async #running(): Promise<readonly VisiblePlugin[]> {
    const rows = await PluginRow.with(this.#db).where({ removing: false, status: 'enabled' }).orderBy('name')
    const installed = await this.#catalogue.withReleases(rows)
    return installed.map((plugin) => ({ ...plugin, assignment: undefined, isEnabled: true }))
  }
}

function hasEntry(manifest: PluginManifest, principal: Principal): boolean {
  return visibleSlots(manifest, 'tenant', principal).length > 0
}

function visibleSlots({ name, slots = [] }: PluginManifest, area: Slot['area'], principal: Principal): readonly Slot[] {
  return slots.filter((slot) => {
    const isOpen = slot.permission === undefined || principal.can(permissionCode(name, slot.permission))
    return isOpen && (slot.area ?? 'tenant') === area
  })
}
