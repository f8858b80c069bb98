import { presentPage, type Page } from '#kernel'
import type { Knex } from 'knex'
import type { PluginLicences } from '../plugins/contract.ts'
import type { TenantDirectory } from '../tenants/contract.ts'
import { LicenceStateRow } from './books/models.ts'
import { day } from './books/licence-times.ts'

/** What the list stands on. */
interface EndingParts {
  readonly db: Knex
  readonly licences: Pick<PluginLicences, 'watched'>
  readonly tenants: Pick<TenantDirectory, 'named'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Which of them are listed. */
interface EndingFilter {
  readonly days: number
  readonly state?: string
}

/** What goes on until its licence ends, and what goes on for a while after. */
const goingOn = ['trial', 'active', 'grace']

/** For whom licences of plugins end within so many days, or have ended and are in their grace. */
export class EndingLicences {
  readonly #parts: EndingParts

  constructor(parts: EndingParts) {
    this.#parts = parts
  }

  async list(page: Page, { days, state }: EndingFilter) {
    const { db, licences, tenants, now } = this.#parts
    const plugins = [...licences.watched().values()].filter(({ name }) => name.includes(page.q.toLowerCase()))
    const nameOf = new Map(plugins.map(({ id, name }) => [id, name]))
    const { results, total } = await LicenceStateRow.acrossTenants(db)
      .whereIn('plugin_id', [...nameOf.keys()])
      .whereIn('state', state === undefined ? goingOn : [state])
      .where('expires_at', '<=', new Date(now() + days * day))
      .orderBy([...page.sort, { column: 'plugin_id' }, { column: 'tenant_id' }])
      .page(page.page - 1, page.size)
    const named = await tenants.named(results.map(({ tenantId }) => tenantId).filter((id) => id !== 0))
    const items = results.map(({ pluginId, tenantId, state: standing, expiresAt }) => ({
      ...{ plugin: nameOf.get(pluginId) ?? '', tenant_id: tenantId, tenant: named.get(tenantId) ?? null },
      state: standing,
      expires_at: expiresAt?.toISOString() ?? null,
    }))
    return presentPage(page, total, items)
  }
}
