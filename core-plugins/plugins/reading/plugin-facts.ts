import type { Knex } from 'knex'
import type { ConsentRequest } from '../consent/consent-request.ts'
import { findConsent } from '../consent/find-consent.ts'
import { AssignmentRow, GrantRow, OperationRow, ReleaseRow, WatchRow, type PluginRow } from '../shared/models.ts'
import { getRelease } from '../releases/release-archive.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { InstalledPlugin } from './installed-plugin.ts'
import { findUsedServices, readServiceUsers, type UsedService } from './used-services.ts'

/** Everything that is known of one plugin. */
export interface PluginFacts extends InstalledPlugin {
  readonly previous: ReleaseRow | undefined
  /** What was granted to the active release. */
  readonly grants: readonly GrantRow[]
  readonly tenants: readonly AssignmentRow[]
  readonly consent: ConsentRequest | undefined
  /** Plugins it requires, with the installed version; null where there is none. */
  readonly dependencies: readonly { readonly name: string; readonly range: string; readonly version: string | null }[]
  /** Services of other plugins that it uses, and whether they are there. */
  readonly uses: readonly UsedService[]
  /** Plugins that use services of it. */
  readonly usedBy: readonly string[]
  /** Those of them that do not have all of these services now. */
  readonly lacking: readonly string[]
  /** Those that would be left without a service they have: by the release that waits, by the one before, by the end of the plugin. */
  readonly leftBy: Readonly<Record<'pending' | 'previous' | 'stop', readonly string[]>>
  /** Plugins that require it. */
  readonly dependants: readonly string[]
  readonly backups: number
  /** Every release of it that is kept here, the newest first, with who would be left without a service by it. */
  readonly releases: readonly { readonly release: ReleaseRow; readonly leaves: readonly string[] }[]
  /** How the release that an upgrade led to is doing, while it is watched. */
  readonly watch: WatchRow | undefined
  readonly lastOperation: OperationRow | undefined
  /** Those that run, the one that began last first. */
  readonly running: readonly OperationRow[]
}

/** Reads everything that is known of one plugin as it was at one moment, also while it is upgraded or removed. */
export function readFacts(db: Knex, { id }: Pick<PluginRow, 'id'>): Promise<PluginFacts> {
  return db.transaction(async (trx) => readAtOneMoment(trx, await getPlugin(trx, String(id))), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  })
}

async function readAtOneMoment(db: Knex, plugin: PluginRow): Promise<PluginFacts> {
  const release = await getRelease(db, plugin.activeRelease)
  const pending = await findRelease(db, plugin.pendingRelease)
  const previous = await findRelease(db, plugin.previousRelease)
  const users = await readServiceUsers(db, plugin.name)
  const leftFor = (to: ReleaseRow | undefined) => (to ? users.leftBy(release.manifest, to.manifest) : [])
  const operations = () => OperationRow.with(db).where({ plugin_id: plugin.id }).orderBy('started_at', 'desc')
  const { count } = await db('plugin_backups')
    .where({ plugin: plugin.name })
    .whereNotNull('completed_at')
    .first<{ count: string }>(db.raw('count(*) as count'))
  return {
    plugin,
    release,
    previous,
    pending,
    grants: await GrantRow.with(db)
      .where({ plugin_id: plugin.id, release_hash: release.treeHash })
      .orderBy('capability'),
    tenants: await AssignmentRow.acrossTenants(db).where({ plugin_id: plugin.id, assigned: true }).orderBy('tenant_id'),
    consent: await findConsent(db, plugin, { active: release, pending }),
    dependencies: await readDependencies(db, release),
    uses: await findUsedServices(db, release.manifest),
    usedBy: users.names,
    lacking: users.lacking({ ...plugin, manifest: release.manifest }),
    leftBy: {
      pending: leftFor(pending),
      previous: leftFor(previous),
      stop: plugin.status === 'enabled' ? users.leftBy(release.manifest) : [],
    },
    dependants: await listDependants(db, plugin.name),
    backups: Number(count),
    releases: (await ReleaseRow.with(db).where({ name: plugin.name }).orderBy('id', 'desc')).map((one) => ({
      release: one,
      leaves: leftFor(one),
    })),
    watch: await WatchRow.with(db).findOne({ plugin_id: plugin.id, to_release: release.id }),
    lastOperation: await operations().first(),
    running: await operations().where({ state: 'running' }),
  }
}

/** The installed plugins whose active releases require one. */
export async function listDependants(db: Knex, name: string): Promise<readonly string[]> {
  const rows = await db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .whereRaw(`jsonb_exists(manifest -> 'requires', ?)`, [name])
    .orderBy('plugins.name')
    .select<{ name: string }[]>('plugins.name')
  return rows.map((row) => row.name)
}

async function findRelease(db: Knex, id: number | null): Promise<ReleaseRow | undefined> {
  return id === null ? undefined : ReleaseRow.with(db).findById(id)
}

async function readDependencies(db: Knex, { manifest }: ReleaseRow): Promise<PluginFacts['dependencies']> {
  const required = Object.entries(manifest.requires ?? {})
  if (required.length === 0) return []
  const rows = await db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .whereIn(
      'plugins.name',
      required.map(([name]) => name),
    )
    .select<{ name: string; version: string }[]>('plugins.name', 'version')
  const versions = new Map(rows.map(({ name, version }) => [name, version]))
  return required.map(([name, range]) => ({ name, range, version: versions.get(name) ?? null }))
}
