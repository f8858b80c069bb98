import { AppError } from '#kernel'
import type { Knex } from 'knex'
import semver from 'semver'
import { PluginRow, ReleaseRow } from '../shared/models.ts'
import type { FoundUpdate, UpdateFinder } from '../reading/update-finder.ts'
import { HOST_VERSION } from '../releases/compatibility.ts'
import { weighVersions } from './choose-version.ts'
import { judgeRelease } from './judge-installed.ts'
import { presentUpdate, type UpdateState } from './present-update.ts'
import { findRevocations } from '../revocations/revocation-check.ts'
import type { OpenSource, SourceSet } from './source-set.ts'

interface Installed {
  readonly plugin: PluginRow
  readonly release: ReleaseRow
}

/** What could be newer, of what is installed; each plugin only from the source that it belongs to. */
export class Updates implements UpdateFinder {
  readonly #db: Knex
  readonly #sources: SourceSet

  constructor(db: Knex, sources: SourceSet) {
    this.#db = db
    this.#sources = sources
  }

  /** Every installed plugin with what its source has for it. */
  async list(locale: string) {
    const installed = await this.#installed()
    const revocations = await findRevocations(
      this.#db,
      installed.map(({ plugin }) => plugin.id),
    )
    const states = await Promise.all(installed.map((each) => this.#state(each)))
    const items = states.map((state) => presentUpdate(state, revocations.get(state.plugin.id), locale))
    return { items, total: items.length, available: items.filter(({ status }) => status === 'available').length }
  }

  /** The plugins that would not run on another version of the platform, and whether a newer release of them would. */
  async blockers(hostVersion: string) {
    const items = []
    for (const { plugin, release } of await this.#installed()) {
      const { name, version, manifest } = release
      if (semver.satisfies(hostVersion, manifest.engines.host)) continue
      items.push({ name, version, engines: manifest.engines, fixed_by: await this.#fixFor(plugin, hostVersion) })
    }
    return { host: HOST_VERSION, version: hostVersion, ready: items.length === 0, blocked_by: items }
  }

  /** From memory alone. */
  async findUpdates(names: readonly string[]): Promise<ReadonlyMap<string, FoundUpdate>> {
    const found = new Map<string, FoundUpdate>()
    for (const { plugin, release } of await this.#installed(names)) {
      const open = plugin.source === null ? undefined : this.#sources.find(plugin.source)
      const offer = open?.index.find(plugin.name)
      if (!open || !offer?.engines || offer.revocation) continue
      const isNewer = semver.gt(offer.latest, release.version) && semver.satisfies(HOST_VERSION, offer.engines.host)
      if (!isNewer) continue
      const security = isRevoked(open, plugin, release)
      found.set(plugin.name, { version: offer.latest, security })
    }
    return found
  }

  async #state({ plugin, release }: Installed): Promise<UpdateState> {
    const shared = { plugin, release }
    if (plugin.source === null) return { ...shared, status: 'uploaded' }
    const open = this.#sources.find(plugin.source)
    if (!open?.index.find(plugin.name)) return { ...shared, status: open ? 'not_offered' : 'source_gone' }
    try {
      const resolved = await weighVersions(await open.index.detail(plugin.name), open, release.version)
      const status = statusOf(plugin, resolved, release)
      return { ...shared, status, resolved, isRevoked: isRevoked(open, plugin, release) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...shared, status: 'failed', error }
    }
  }

  async #fixFor(plugin: PluginRow, hostVersion: string): Promise<string | null> {
    const open = plugin.source === null ? undefined : this.#sources.find(plugin.source)
    if (!open?.index.find(plugin.name)) return null
    const newest = await newestFor(open, plugin.name, hostVersion)
    return newest ?? null
  }

  async #installed(names?: readonly string[]): Promise<readonly Installed[]> {
    const plugins = await PluginRow.with(this.#db)
      .where({ removing: false })
      .where((rows) => {
        if (names) void rows.whereIn('name', [...names])
      })
      .orderBy('name')
    const releases = await ReleaseRow.with(this.#db).findByIds(plugins.map(({ activeRelease }) => activeRelease))
    const byId = new Map(releases.map((release) => [release.id, release]))
    return plugins.flatMap((plugin) => {
      const release = byId.get(plugin.activeRelease)
      return release ? { plugin, release } : []
    })
  }
}

function isRevoked(open: OpenSource, { source }: PluginRow, { name, version, kid }: ReleaseRow): boolean {
  return judgeRelease([open], { name, version, kid, origins: [source], key: undefined }) !== undefined
}

function statusOf(
  { pinned }: PluginRow,
  { newest, update }: Awaited<ReturnType<typeof weighVersions>>,
  { version }: ReleaseRow,
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
