import { accepted, created, type Principal, type Reply, type RouteContext } from '#kernel'
import { PluginNotFoundError } from './errors.ts'
import { answerConsent } from './lifecycle/consent.ts'
import { asksForConsent, firstConsent, type ConsentAnswer } from './lifecycle/consent-request.ts'
import { disablePlugin, enablePlugin, syncManifest } from './lifecycle/enable.ts'
import { endsWithin } from './lifecycle/ends-within.ts'
import { findPlugin, getPlugin } from './lifecycle/find-plugin.ts'
import { installRelease } from './lifecycle/install.ts'
import { findStray } from './lifecycle/list-strays.ts'
import { uninstallPlugin } from './lifecycle/uninstall.ts'
import { overrideRevocation } from './marketplace/revocation-check.ts'
import { OperationRow, type PluginRow } from './models.ts'
import type { Parts } from './parts.ts'
import { presentConsent } from './present.ts'
import type { Catalogue } from './reading/catalogue.ts'
import { planCleanup } from './reading/cleanup-plan.ts'
import { planUninstall } from './reading/uninstall-plan.ts'
import { admitUpload } from './releases/admit-upload.ts'
import type { IncomingRelease } from './releases/incoming.ts'
import { receiveUpload } from './releases/receive-upload.ts'
import { getRelease } from './releases/release-archive.ts'

/** A caller waits for so long; then the operation goes on and the caller looks it up. */
const PATIENCE_MILLISECONDS = 30_000

/** Who asks, and in which language. */
export interface Asked {
  readonly principal: Principal
  readonly locale: string
}

/** Does something to one plugin. */
export type Verb = (parts: Parts, plugin: PluginRow, actor: Principal) => Promise<void>

/** What administrators do with plugins; every verb answers with the plugin as it is afterwards. */
export class PluginService {
  readonly #parts: Parts
  readonly #catalogue: Catalogue

  constructor(parts: Parts, catalogue: Catalogue) {
    this.#parts = parts
    this.#catalogue = catalogue
  }

  /** Takes a package in and installs it. */
  async upload(ctx: Pick<RouteContext, 'files' | 'signal' | 'principal'>): Promise<Reply> {
    await using upload = await receiveUpload(this.#parts.staging, ctx)
    const incoming = await admitUpload(this.#parts, upload)
    // Awaited here, or the staging folder would be gone before the work has begun.
    return await this.install(incoming, ctx.principal)
  }

  /** Installs a package that was admitted; the answer asks for consent where it is needed. */
  async install(incoming: IncomingRelease, actor: Principal): Promise<Reply> {
    const name = await installRelease(this.#parts, incoming, actor)
    const plugin = await getPlugin(this.#parts.db, name)
    const release = await getRelease(this.#parts.db, plugin.activeRelease)
    const { version, manifest } = release
    const isWaiting = plugin.status === 'awaiting_consent' && asksForConsent(manifest)
    return created({
      ...{ id: plugin.id, name, version, status: plugin.status },
      capabilities: [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])],
      ...(isWaiting && { consent: presentConsent(firstConsent(release)) }),
    })
  }

  /** Grants a plugin what it asks for, or not. */
  consent(idOrName: string, answer: ConsentAnswer, asked: Asked) {
    return this.change(idOrName, asked, (parts, plugin, actor) => answerConsent(parts, plugin, answer, actor))
  }

  /** Lets a plugin run; one whose release was revoked only when the administrator says that it shall run all the same. */
  enable(idOrName: string, asked: Asked, overridesRevocation = false) {
    return this.change(idOrName, asked, async (parts, plugin, actor) => {
      if (overridesRevocation) await overrideRevocation(parts, plugin, actor)
      await enablePlugin(parts, plugin, actor)
    })
  }

  /** Stops a plugin. */
  disable(idOrName: string, asked: Asked) {
    return this.change(idOrName, asked, disablePlugin)
  }

  /** Loads a plugin's manifest anew. */
  sync(idOrName: string, asked: Asked) {
    return this.change(idOrName, asked, syncManifest)
  }

  /** What removing a plugin would do; nothing of it is done. */
  async planUninstall(idOrName: string) {
    return planUninstall(this.#parts, await getPlugin(this.#parts.db, idOrName))
  }

  /** Removes a plugin with everything it has. */
  async uninstall(idOrName: string, purge: boolean, { principal }: Asked) {
    const { id, name } = await getPlugin(this.#parts.db, idOrName)
    return this.#remove({ id, name }, { purge, force: false }, principal)
  }

  /** What a force-cleanup would do, of a plugin whose row may be gone already; nothing of it is done. */
  async planForceCleanup(idOrName: string) {
    return planCleanup(this.#parts, idOrName, await findPlugin(this.#parts.db, idOrName))
  }

  /** Removes what is left of a plugin, without running its code; its row may be gone already. */
  async forceCleanup(idOrName: string, purge: boolean, { principal }: Asked) {
    const plugin = await findPlugin(this.#parts.db, idOrName)
    if (!plugin && !(await findStray(this.#parts, idOrName))) throw new PluginNotFoundError()
    const target = plugin ? { id: plugin.id, name: plugin.name } : { id: null, name: idOrName }
    return this.#remove(target, { purge, force: true }, principal)
  }

  /** Does something to a plugin and answers with it as it is then, or with 202 and the operation after 30 s. */
  change(idOrName: string, { principal, locale }: Asked, change: Verb) {
    return this.perform(idOrName, principal, change, (plugin) => this.#catalogue.detail(plugin, locale))
  }

  /** Does something to a plugin and answers what is asked of it then, or 202 and the operation after 30 s. */
  async perform<T>(
    idOrName: string,
    actor: Principal,
    change: Verb,
    answer: (plugin: PluginRow) => Promise<T>,
  ): Promise<T | Reply> {
    const plugin = await getPlugin(this.#parts.db, idOrName)
    const operation = change(this.#parts, plugin, actor)
    if (!(await endsWithin(operation, PATIENCE_MILLISECONDS))) return this.#goesOn(plugin.name)
    return answer(await getPlugin(this.#parts.db, plugin.name))
  }

  async #remove(
    plugin: { readonly id: number | null; readonly name: string },
    options: { readonly purge: boolean; readonly force: boolean },
    actor: Principal,
  ) {
    const operation = uninstallPlugin(this.#parts, plugin, options, actor)
    if (!(await endsWithin(operation, PATIENCE_MILLISECONDS))) return this.#goesOn(plugin.name)
    return { deleted: true, operation_id: await operation }
  }

  async #goesOn(plugin: string): Promise<Reply> {
    const { db } = this.#parts
    const row = await OperationRow.with(db).where({ plugin }).orderBy('started_at', 'desc').first()
    return accepted({ operation_id: row?.id })
  }
}
