import { presentPage, type Page } from '#kernel'
import type { Knex } from 'knex'
import { asksForConsent, firstConsent } from '../lifecycle/consent.ts'
import { AssignmentRow, GrantRow, PluginRow, ReleaseRow } from '../models.ts'
import { presentDetail, presentPlugin, type InstalledPlugin } from '../present.ts'
import { getRelease } from '../releases/release-archive.ts'

/** What administrators read of installed plugins. */
export class Catalogue {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** A page of plugins; the search looks at names. */
  async list(page: Page, status: string | undefined, locale: string) {
    const query = PluginRow.with(this.#db).where((rows) => {
      if (status !== undefined) void rows.where({ status })
      if (page.q) void rows.whereILike('name', `%${page.q.replace(/[\\%_]/g, '\\$&')}%`)
    })
    const total = await query.clone().resultSize()
    const rows = await query
      .orderBy([...page.sort])
      .limit(page.size)
      .offset(page.offset)
    const installed = await this.withReleases(rows)
    return presentPage(
      page,
      total,
      installed.map((plugin) => presentPlugin(plugin, locale)),
    )
  }

  /** Everything about one plugin, with the consent it waits for. */
  async detail(plugin: PluginRow, locale: string) {
    const release = await getRelease(this.#db, plugin.activeRelease)
    const grants = await GrantRow.with(this.#db)
      .where({ plugin_id: plugin.id, release_hash: release.treeHash })
      .orderBy('capability')
    const tenants = await AssignmentRow.acrossTenants(this.#db)
      .where({ plugin_id: plugin.id, assigned: true })
      .orderBy('tenant_id')
    const isWaiting = plugin.status === 'awaiting_consent' && asksForConsent(release.manifest)
    const consent = isWaiting ? firstConsent(release) : undefined
    return presentDetail({ plugin, release }, { grants, tenants, consent }, locale)
  }

  /** What a plugin asks for beside what it was granted. */
  async capabilities(plugin: PluginRow, locale: string) {
    const { capabilities, granted, consent } = await this.detail(plugin, locale)
    return { requested: capabilities, granted, ...(consent && { consent }) }
  }

  /** Plugins with their active releases. */
  async withReleases(plugins: readonly PluginRow[]): Promise<readonly InstalledPlugin[]> {
    const releases = await ReleaseRow.with(this.#db).findByIds(plugins.map(({ activeRelease }) => activeRelease))
    const byId = new Map(releases.map((release) => [release.id, release]))
    return plugins.flatMap((plugin) => {
      const release = byId.get(plugin.activeRelease)
      return release ? { plugin, release } : []
    })
  }
}
