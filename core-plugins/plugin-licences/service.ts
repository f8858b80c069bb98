import type { Principal } from '#kernel'
import { siteIdOf } from '#marketplace'
import type { Knex } from 'knex'
import type {
  LicenceKeeper,
  LicenceToken,
  LicenceWork,
  LicensablePlugin,
  LicensedPlugin,
  PluginLicences,
} from '../plugins/contract.ts'
import type { TenantDirectory } from '../tenants/contract.ts'
import { admitToken, revokedError } from './admit-token.ts'
import type { LicenceBook } from './books/licence-book.ts'
import type { LicenceClock } from './books/licence-clock.ts'
import { presentLicences } from './books/present.ts'
import { readLicenceBook, readLicenceBooks } from './books/read-books.ts'
import { readLicenceRows } from './books/read-rows.ts'
import { assignedTenants, chooseTenants, requireAmong } from './choose-tenants.ts'
import { LicenseNotFoundError, TrialUsedError } from './errors.ts'
import { isRevokedByPublisher, revokeLicences } from './revoke-licences.ts'
import { storeLicence } from './store-licence.ts'
import { signTrial, trialDaysOf, useTrialUp, withoutTrial } from './trials.ts'

/** What licences stand on. */
interface LicenceParts {
  readonly db: Knex
  readonly clock: Pick<LicenceClock, 'now'>
  readonly licences: Pick<PluginLicences, 'find' | 'authority' | 'notAssignable' | 'siteKey'>
  readonly tenants: Pick<TenantDirectory, 'list' | 'named'>
}

/** Keeps the licences of plugins: judges what administrators ask for, and says how plugins are licensed. */
export class LicenceService implements LicenceKeeper {
  /** The id under which publishers make licences for this site. */
  readonly host: string
  readonly #parts: LicenceParts

  constructor(parts: LicenceParts) {
    this.#parts = parts
    this.host = siteIdOf(parts.licences.siteKey.publicKey)
  }

  now(): number {
    return this.#parts.clock.now()
  }

  read(plugins: readonly LicensedPlugin[]): Promise<ReadonlyMap<number, LicenceBook>> {
    return readLicenceBooks(this.#parts.db, plugins)
  }

  /** Throws 400/4002 for a token that does not hold here, 422/4220 for tenants that it is not for. */
  async activate(plugin: LicensablePlugin, { token, tenantIds }: LicenceToken, actor: Principal): Promise<LicenceWork> {
    const { authority, notAssignable } = this.#parts.licences
    const { id: pluginId, manifest } = plugin
    const licence = await admitToken(token, { manifest, host: this.host, now: this.now() }, authority)
    const existing = await this.#tenants()
    const chosen = chooseTenants({ plugin, licence, asked: tenantIds, existing, notAssignable })
    const hears = await authority.judgesOf(plugin.name, licence.kid)
    return async (trx) => {
      if (await isRevokedByPublisher(trx, licence.jti, hears)) throw revokedError()
      await storeLicence(trx, { licence, token, pluginId, activatedBy: actor.userId, ...chosen })
      const { jti, typ: kind } = licence
      const after = { license: jti, kind, reach: chosen.reach, tenant_ids: chosen.tenantIds }
      return { action: 'plugin.license_activated', after }
    }
  }

  /** Throws 400/4002 where the plugin offers none, 409/4094 for whoever had one, or a licence. A trial begins once for ever. */
  async beginTrial(plugin: LicensablePlugin, tenantId: number | undefined, actor: Principal): Promise<LicenceWork> {
    const { id: pluginId, name, manifest } = plugin
    const { host } = this
    const days = trialDaysOf(manifest)
    const tenantIds = await this.#trialTenants(plugin, tenantId)
    return async (trx) => {
      const now = this.now()
      const book = await readLicenceBook(trx, plugin)
      for (const id of tenantIds) {
        await useTrialUp(trx, { name, host, tenantId: id }, book, now)
        const signed = signTrial(id, { manifest, host, siteKey: this.#parts.licences.siteKey, now })
        const reach = id === 0 ? ('all' as const) : ('listed' as const)
        const given = { pluginId, activatedBy: actor.userId, reach, tenantIds: id === 0 ? [] : [id] }
        await storeLicence(trx, { ...signed, ...given })
      }
      return { action: 'plugin.trial_begun', after: { days, tenant_ids: tenantIds } }
    }
  }

  /** Throws 404/4040 when there are none. */
  revoke({ id, scope }: LicensablePlugin, tenantId: number | undefined): LicenceWork {
    if (tenantId !== undefined && scope === 'platform') throw this.#parts.licences.notAssignable()
    return async (trx) => {
      const revoked = await revokeLicences(trx, id, tenantId)
      if (revoked === 0) throw new LicenseNotFoundError()
      return { action: 'plugin.license_revoked', after: { revoked, tenant_id: tenantId ?? null } }
    }
  }

  /** How a plugin is licensed: on the whole, for each tenant, and by which licences. Throws 404/4046 for one that is not installed. */
  async show(idOrName: string) {
    const { db, licences, tenants } = this.#parts
    const plugin = await licences.find(idOrName)
    const book = await readLicenceBook(db, plugin)
    const rows = await readLicenceRows(db, plugin.id)
    const names = await tenants.named([...plugin.assigned, ...book.tenants].filter((id) => id !== 0))
    return presentLicences({ plugin, book, ...rows, names, host: this.host, now: this.now() })
  }

  async #trialTenants(plugin: LicensablePlugin, tenantId: number | undefined): Promise<readonly number[]> {
    const { db, licences } = this.#parts
    if (plugin.scope === 'platform') {
      if (tenantId !== undefined) throw licences.notAssignable()
      return [0]
    }
    if (tenantId !== undefined) {
      requireAmong([tenantId], await this.#tenants(), 'exists', 'There is no such tenant', 'tenant_id')
      return [tenantId]
    }
    const assigned = assignedTenants(plugin, 'tenant_id')
    const unused = await withoutTrial(db, { name: plugin.name, host: this.host }, assigned)
    if (unused.length === 0) throw new TrialUsedError()
    const book = await readLicenceBook(db, plugin)
    const without = unused.filter((id) => book.of(id, this.now()).state === 'none')
    // Whoever has a licence is told so by the first of them.
    return without.length > 0 ? without : unused.slice(0, 1)
  }

  async #tenants(): Promise<ReadonlySet<number>> {
    return new Set((await this.#parts.tenants.list()).map(({ id }) => id))
  }
}
