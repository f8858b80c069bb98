import { AppError, platformVersion } from '#kernel'
import type { PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import semver from 'semver'
import type { FoundUpdate, InstalledRelease, PluginDirectory } from '../../plugins/contract.ts'
import { weighVersions } from './choose-version.ts'
import { judgeRelease } from '../judging/judge-installed.ts'
import { presentUpdate, type UpdateState } from './present-update.ts'
import { findRevocations } from '../judging/revocation-check.ts'
import type { OpenSource, SourceSet } from '../sources/source-set.ts'

interface Installed {
  readonly plugin: InstalledRelease
  readonly manifest: PluginManifest
}

/** What could be newer, of what is installed; each plugin only from the source that it belongs to. */
export class Updates {
  readonly #db: Knex
  readonly #directory: Pick<PluginDirectory, 'list' | 'manifestsOf'>
  readonly #sources: SourceSet

  constructor({
    db,
    directory,
    sources,
  }: {
    readonly db: Knex
    readonly directory: Pick<PluginDirectory, 'list' | 'manifestsOf'>
    readonly sources: SourceSet
  }) {
    this.#db = db
    this.#directory = directory
    this.#sources = sources
  }

  /** Every installed plugin with what its source has for it, or a page of them: what could be newer comes first. */
  async list(locale: string, { page = 1, page_size: size }: { page?: number; page_size?: number } = {}) {
    const installed = await this.#installed()
    const revocations = await findRevocations(
      this.#db,
      installed.map(({ plugin }) => plugin.id),
    )
    const states = await Promise.all(installed.map((each) => this.#state(each, usersOf(each, installed))))
    const all = states.map((state) => presentUpdate(state, revocations.get(state.plugin.id), locale))
    const available = all.filter(({ status }) => status === 'available')
    const counts = { total: all.length, available: available.length }
    const security = available.filter((each) => each.security).length
    if (size === undefined) return { items: all, ...counts, security }
    const sorted = [...available, ...all.filter(({ status }) => status !== 'available')]
    const items = sorted.slice((page - 1) * size, page * size)
    return { items, ...counts, security, page, page_size: size, pages: Math.ceil(all.length / size) }
  }

  /** The plugins that would not run on another version of the platform, and whether a newer release of them would. */
  async blockers(hostVersion: string) {
    const items = []
    for (const { plugin, manifest } of await this.#installed()) {
      const { name, version } = manifest
      if (semver.satisfies(hostVersion, manifest.engines.host)) continue
      items.push({ name, version, engines: manifest.engines, fixed_by: await this.#fixFor(plugin, hostVersion) })
    }
    return { host: platformVersion, version: hostVersion, ready: items.length === 0, blocked_by: items }
  }

  /** From memory alone. */
  async findUpdates(names: readonly string[]): Promise<ReadonlyMap<string, FoundUpdate>> {
    const found = new Map<string, FoundUpdate>()
    for (const plugin of await this.#stay(names)) {
      const open = plugin.source === null ? undefined : this.#sources.find(plugin.source)
      const offer = open?.index.find(plugin.name)
      if (!open || !offer?.engines || offer.revocation) continue
      const isNewer =
        semver.gt(offer.latest, plugin.release.version) && semver.satisfies(platformVersion, offer.engines.host)
      if (!isNewer) continue
      const security = isRevoked(open, plugin)
      found.set(plugin.name, { version: offer.latest, security })
    }
    return found
  }

  async #state({ plugin, manifest }: Installed, usedBy: readonly string[]): Promise<UpdateState> {
    const shared = { plugin, manifest, usedBy }
    if (plugin.source === null) return { ...shared, status: 'uploaded' }
    const open = this.#sources.find(plugin.source)
    if (!open?.index.find(plugin.name)) return { ...shared, status: open ? 'not_offered' : 'source_gone' }
    try {
      const resolved = await weighVersions(await open.index.detail(plugin.name), open, plugin.release.version)
      const status = statusOf(plugin, resolved)
      return { ...shared, status, resolved, isRevoked: isRevoked(open, plugin) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...shared, status: 'failed', error }
    }
  }

  async #fixFor(plugin: InstalledRelease, hostVersion: string): Promise<string | null> {
    const open = plugin.source === null ? undefined : this.#sources.find(plugin.source)
    if (!open?.index.find(plugin.name)) return null
    const newest = await newestFor(open, plugin.name, hostVersion)
    return newest ?? null
  }

  async #installed(): Promise<readonly Installed[]> {
    const plugins = await this.#stay()
    const manifests = await this.#directory.manifestsOf(plugins)
    return plugins.flatMap((plugin) => {
      const manifest = manifests.get(plugin.id)
      return manifest ? [{ plugin, manifest }] : []
    })
  }

  /** Those that are not being removed. */
  async #stay(names?: readonly string[]): Promise<readonly InstalledRelease[]> {
    return (await this.#directory.list(names)).filter(({ removing }) => !removing)
  }
}

/** The plugins that use services of one. */
function usersOf({ plugin }: Installed, all: readonly Installed[]): readonly string[] {
  const isUsing = ({ manifest: { uses = {} } }: Installed): boolean =>
    Object.keys(uses).some((service) => service.startsWith(`${plugin.name}/`))
  return all.filter(isUsing).map((user) => user.plugin.name)
}

function isRevoked(open: OpenSource, { name, source, release: { version, kid } }: InstalledRelease): boolean {
  return judgeRelease([open], { name, version, kid, origins: [source], key: undefined }) !== undefined
}

function statusOf(
  { pinned, release: { version } }: InstalledRelease,
  { newest, update }: Awaited<ReturnType<typeof weighVersions>>,
): UpdateState['status'] {
  if (update) return pinned ? 'pinned' : 'available'
  return newest && semver.gt(newest.version.version, version) ? 'incompatible' : 'current'
}

/** The newest offered version that would run on another version of the platform. */
async function newestFor(open: OpenSource, name: string, hostVersion: string): Promise<string | undefined> {
  try {
    const { versions } = await weighVersions(await open.index.detail(name), open)
    const fits = versions.find(
      ({ isOffered, version }) => isOffered && semver.satisfies(hostVersion, version.engines.host),
    )
    return fits?.version.version
  } catch (error) {
    // A source that does not answer promises nothing.
    if (error instanceof AppError) return undefined
    throw error
  }
}
