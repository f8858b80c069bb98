import { siteIdOf } from '#marketplace'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import type { Parts } from '../running/parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import type { Asked } from '../changes/asked.ts'
import type { PluginChanges } from '../changes/plugin-changes.ts'
import { PluginNotAssignableError } from '../shared/errors.ts'
import { admitToken, revokedError } from './admit-token.ts'
import { changeLicences } from './change-licences.ts'
import { assignedTenants, chooseTenants, requireAmong } from './choose-tenants.ts'
import { LicenseNotFoundError, TrialUsedError } from '../licence-book/errors.ts'
import { emptyBook } from '../licence-book/licence-book.ts'
import type { LicenceClock } from '../licence-book/licence-clock.ts'
import { presentLicences } from '../licence-book/present.ts'
import { readLicenceBooks } from '../licence-book/read-books.ts'
import { readLicenceRows } from '../licence-book/read-rows.ts'
import { isRevokedByPublisher, revokeLicences } from './revoke-licences.ts'
import { storeLicence } from './store-licence.ts'
import { signTrial, trialDaysOf, useTrialUp, withoutTrial } from './trials.ts'

/** What licences stand on. */
export interface LicenceParts {
  readonly parts: Parts
  readonly changes: Pick<PluginChanges, 'change'>
  readonly clock: Pick<LicenceClock, 'now'>
}

/** What administrators do with the licences of plugins; a change answers with the plugin. */
export class LicenceService {
  /** The id under which publishers make licences for this site. */
  readonly host: string
  readonly #parts: Parts
  readonly #changes: Pick<PluginChanges, 'change'>
  readonly #clock: Pick<LicenceClock, 'now'>

  constructor({ parts, changes, clock }: LicenceParts) {
    this.#parts = parts
    this.#changes = changes
    this.#clock = clock
    this.host = siteIdOf(parts.siteKey.publicKey)
  }

  /** Begins to use a licence, for tenants where it does not say for whom; the same token again adds tenants to it. */
  activate(idOrName: string, given: { readonly token: string; readonly tenantIds?: readonly number[] }, asked: Asked) {
    const { token, tenantIds } = given
    return this.#changes.change(idOrName, asked, async (parts, plugin, actor) => {
      const { manifest } = await getRelease(parts.db, plugin.activeRelease)
      const licence = await admitToken(
        token,
        { manifest, host: this.host, now: this.#clock.now() },
        parts.index.licences,
      )
      const choice = { plugin, licence, asked: tenantIds, existing: await this.#tenants() }
      const chosen = await chooseTenants(parts.db, choice)
      const hears = await parts.index.licences.judgesOf(plugin.name, licence.kid)
      await changeLicences(parts, plugin, { kind: 'license', actor }, async (trx, { id: pluginId }) => {
        if (await isRevokedByPublisher(trx, licence.jti, hears)) throw revokedError()
        await storeLicence(trx, { licence, token, pluginId, activatedBy: actor.userId, ...chosen })
        const { jti, typ: kind } = licence
        const after = { license: jti, kind, reach: chosen.reach, tenant_ids: chosen.tenantIds }
        return { action: 'plugin.license_activated', after }
      })
    })
  }

  /** Begins the trial that the plugin offers: for one tenant, or every one it is assigned to that had none; once for ever. */
  beginTrial(idOrName: string, tenantId: number | undefined, asked: Asked) {
    return this.#changes.change(idOrName, asked, async (parts, plugin, actor) => {
      const { manifest } = await getRelease(parts.db, plugin.activeRelease)
      const days = trialDaysOf(manifest)
      const { host } = this
      const { name } = plugin
      const tenantIds = await this.#trialTenants(plugin, tenantId)
      await changeLicences(parts, plugin, { kind: 'trial', actor }, async (trx, row) => {
        const now = this.#clock.now()
        const book = (await readLicenceBooks(trx, [row])).get(row.id) ?? emptyBook
        for (const id of tenantIds) {
          await useTrialUp(trx, { name, host, tenantId: id }, book, now)
          const signed = signTrial(id, { manifest, host, siteKey: parts.siteKey, now })
          const reach = id === 0 ? ('all' as const) : ('listed' as const)
          const given = { pluginId: row.id, activatedBy: actor.userId, reach, tenantIds: id === 0 ? [] : [id] }
          await storeLicence(trx, { ...signed, ...given })
        }
        return { action: 'plugin.trial_begun', after: { days, tenant_ids: tenantIds } }
      })
    })
  }

  /** Revokes the plugin's licences here, or what they are for one tenant; throws 404/4040 when there are none. */
  revoke(idOrName: string, tenantId: number | undefined, asked: Asked) {
    return this.#changes.change(idOrName, asked, async (parts, plugin, actor) => {
      if (tenantId !== undefined && plugin.scope === 'platform') throw new PluginNotAssignableError()
      await changeLicences(parts, plugin, { kind: 'revoke_license', actor }, async (trx, { id }) => {
        const revoked = await revokeLicences(trx, id, tenantId)
        if (revoked === 0) throw new LicenseNotFoundError()
        return { action: 'plugin.license_revoked', after: { revoked, tenant_id: tenantId ?? null } }
      })
    })
  }

  /** How a plugin is licensed: on the whole, for each tenant, and by which licences. */
  async read(idOrName: string) {
    const { db } = this.#parts
    const plugin = await getPlugin(db, idOrName)
    const { manifest } = await getRelease(db, plugin.activeRelease)
    const book = (await readLicenceBooks(db, [plugin])).get(plugin.id) ?? emptyBook
    const rows = await readLicenceRows(db, plugin.id)
    return presentLicences({ plugin, manifest, book, ...rows, host: this.host, now: this.#clock.now() })
  }

  async #trialTenants(plugin: PluginRow, tenantId: number | undefined): Promise<readonly number[]> {
    const { db } = this.#parts
    if (plugin.scope === 'platform') {
      if (tenantId !== undefined) throw new PluginNotAssignableError()
      return [0]
    }
    if (tenantId !== undefined) {
      requireAmong([tenantId], await this.#tenants(), 'exists', 'There is no such tenant', 'tenant_id')
      return [tenantId]
    }
    const assigned = await assignedTenants(db, plugin.id, 'tenant_id')
    const unused = await withoutTrial(db, { name: plugin.name, host: this.host }, assigned)
    if (unused.length === 0) throw new TrialUsedError()
    const book = (await readLicenceBooks(db, [plugin])).get(plugin.id) ?? emptyBook
    const without = unused.filter((id) => book.of(id, this.#clock.now()).state === 'none')
    // Whoever has a licence is told so by the first of them.
    return without.length > 0 ? without : unused.slice(0, 1)
  }

  async #tenants(): Promise<ReadonlySet<number>> {
    return new Set((await this.#parts.tenants.list()).map(({ id }) => id))
  }
}
