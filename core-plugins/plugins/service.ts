import { accepted, created, type Principal, type Reply, type RouteContext } from '#kernel'
import { PluginNotFoundError } from './errors.ts'
import { answerConsent } from './lifecycle/consent.ts'
import { asksForConsent, firstConsent, type ConsentAnswer } from './lifecycle/consent-request.ts'
import { disablePlugin, enablePlugin, syncManifest } from './lifecycle/enable.ts'
import { findPlugin, getPlugin } from './lifecycle/find-plugin.ts'
import { installRelease } from './lifecycle/install.ts'
import { findStray } from './lifecycle/list-strays.ts'
import { uninstallPlugin } from './lifecycle/uninstall.ts'
import { overrideRevocation } from './marketplace/revocation-check.ts'
import type { PluginRow } from './models.ts'
import { withinPatience, type WithinPatience } from './operations/operation-runner.ts'
import type { Parts } from './parts.ts'
import { presentConsent } from './present.ts'
import type { Catalogue } from './reading/catalogue.ts'
import { planCleanup } from './reading/cleanup-plan.ts'
import { planUninstall } from './reading/uninstall-plan.ts'
import { admitUpload } from './releases/admit-upload.ts'
import type { IncomingRelease } from './releases/incoming.ts'
import { receiveUpload } from './releases/receive-upload.ts'

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
    const installed = await installRelease(this.#parts, incoming, actor)
    const { manifest, treeHash } = incoming.opened
    const { name, version } = manifest
    const isWaiting = installed.status === 'awaiting_consent' && asksForConsent(manifest)
    return created({
      ...{ id: installed.id, name, version, status: installed.status },
      capabilities: [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])],
      ...(isWaiting && { consent: presentConsent(firstConsent({ manifest, treeHash })) }),
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
    const done = await this.#within((parts) => change(parts, plugin, actor))
    if ('operationId' in done) return accepted({ operation_id: done.operationId })
    return answer(await getPlugin(this.#parts.db, plugin.name))
  }

  async #remove(
    plugin: { readonly id: number | null; readonly name: string },
    options: { readonly purge: boolean; readonly force: boolean },
    actor: Principal,
  ) {
    const done = await this.#within((parts) => uninstallPlugin(parts, plugin, options, actor))
    if ('operationId' in done) return accepted({ operation_id: done.operationId })
    return { deleted: true, operation_id: done.value }
  }

  #within<T>(work: (parts: Parts) => Promise<T>): Promise<WithinPatience<T>> {
    const { operations } = this.#parts
    return withinPatience(operations, PATIENCE_MILLISECONDS, (telling) => work({ ...this.#parts, operations: telling }))
  }
}
