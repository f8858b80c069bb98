import { created, requirePermission, type Reply, type RouteContext } from '#kernel'
import { PluginNotFoundError } from './shared/errors.ts'
import type { Asked } from './changes/asked.ts'
import type { PluginChanges } from './changes/plugin-changes.ts'
import { answerConsent } from './enabling/consent.ts'
import { asksForConsent, firstConsent, type ConsentAnswer } from './consent/consent-request.ts'
import { disablePlugin, enablePlugin, syncManifest } from './enabling/enable.ts'
import { findPlugin, getPlugin } from './shared/find-plugin.ts'
import { installOffered, installRelease, type InstalledRelease } from './install/install.ts'
import { findStray } from './repairs/list-strays.ts'
import { uninstallPlugin } from './removal/uninstall.ts'
import { presentConsent } from './reading/present-consent.ts'
import { planCleanup } from './removal/cleanup-plan.ts'
import { planUninstall } from './removal/uninstall-plan.ts'
import { admitUpload } from './releases/admit-upload.ts'
import type { WantedRelease } from './contract-packages.ts'
import { receiveUpload } from './releases/receive-upload.ts'
import type { VerbNeeds } from './needs.ts'

/** What administrators do with plugins; every verb answers with the plugin as it is afterwards. */
export class PluginService {
  readonly #parts: VerbNeeds
  readonly #changes: PluginChanges<VerbNeeds>

  constructor(parts: VerbNeeds, changes: PluginChanges<VerbNeeds>) {
    this.#parts = parts
    this.#changes = changes
  }

  /** Takes a package in and installs it. */
  async upload(ctx: Pick<RouteContext, 'files' | 'signal' | 'principal'>, asked: Asked): Promise<Reply> {
    return this.#install(asked, async (parts) => {
      await using upload = await receiveUpload(parts.staging, ctx)
      const incoming = await admitUpload(parts, upload)
      // Awaited here, or the staging folder would be gone before the work has begun.
      return await installRelease(parts, incoming, asked.principal)
    })
  }

  /** Takes a package from an index source and installs it; who follows the work sees the package come. */
  async install(wanted: WantedRelease, asked: Asked): Promise<Reply> {
    const { principal: actor, isAsync = false } = asked
    requirePermission(actor, 'marketplace:download')
    return this.#install(asked, async (parts) => {
      if (isAsync) return installOffered(parts, await parts.index.find(wanted), actor)
      await using incoming = await parts.index.fetch(wanted)
      // Awaited here, or the staging folder would be gone before the work has begun.
      return await installRelease(parts, incoming, actor)
    })
  }

  /** Installs a package; the answer asks for consent where it is needed. Who does not follow the work waits for its end. */
  async #install(asked: Asked, work: (parts: VerbNeeds) => Promise<InstalledRelease>): Promise<Reply> {
    const answer = ({ id, status, release: { manifest, treeHash } }: InstalledRelease) => {
      const { name, version } = manifest
      const isWaiting = status === 'awaiting_consent' && asksForConsent(manifest)
      return created({
        ...{ id, name, version, status },
        capabilities: [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])],
        ...(isWaiting && { consent: presentConsent(firstConsent({ manifest, treeHash })) }),
      })
    }
    return asked.isAsync ? this.#changes.within(asked, work, answer) : answer(await work(this.#parts))
  }

  /** Grants a plugin what it asks for, or not. */
  consent(idOrName: string, answer: ConsentAnswer, asked: Asked) {
    return this.#changes.change(idOrName, asked, (parts, plugin, actor) => answerConsent(parts, plugin, answer, actor))
  }

  /** Lets a plugin run; one whose release was revoked only when the administrator says that it shall run all the same. */
  enable(idOrName: string, asked: Asked, overridesRevocation = false) {
    return this.#changes.change(idOrName, asked, async (parts, plugin, actor) => {
      if (overridesRevocation) await parts.index.override(plugin, actor)
      await enablePlugin(parts, plugin, actor)
    })
  }

  /** Stops a plugin. */
  disable(idOrName: string, asked: Asked) {
    return this.#changes.change(idOrName, asked, disablePlugin)
  }

  /** Loads a plugin's manifest anew. */
  sync(idOrName: string, asked: Asked) {
    return this.#changes.change(idOrName, asked, syncManifest)
  }

  /** What removing a plugin would do; nothing of it is done. */
  async planUninstall(idOrName: string) {
    return planUninstall(this.#parts, await getPlugin(this.#parts.db, idOrName))
  }

  /** Removes a plugin with everything it has. */
  async uninstall(idOrName: string, purge: boolean, asked: Asked) {
    const { id, name } = await getPlugin(this.#parts.db, idOrName)
    return this.#remove({ id, name }, { purge, force: false }, asked)
  }

  /** What a force-cleanup would do, of a plugin whose row may be gone already; nothing of it is done. */
  async planForceCleanup(idOrName: string) {
    return planCleanup(this.#parts, idOrName, await findPlugin(this.#parts.db, idOrName))
  }

  /** Removes what is left of a plugin, without running its code; its row may be gone already. */
  async forceCleanup(idOrName: string, purge: boolean, asked: Asked) {
    const plugin = await findPlugin(this.#parts.db, idOrName)
    if (!plugin && !(await findStray(this.#parts, idOrName))) throw new PluginNotFoundError()
    const target = plugin ? { id: plugin.id, name: plugin.name } : { id: null, name: idOrName }
    return this.#remove(target, { purge, force: true }, asked)
  }

  async #remove(
    plugin: { readonly id: number | null; readonly name: string },
    options: { readonly purge: boolean; readonly force: boolean },
    asked: Asked,
  ) {
    return this.#changes.within(
      asked,
      (parts) => uninstallPlugin(parts, plugin, options, asked.principal),
      (id) => ({ deleted: true, operation_id: id }),
    )
  }
}
