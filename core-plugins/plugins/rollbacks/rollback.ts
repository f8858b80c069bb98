import type { Principal } from '#kernel'
import type { Choices } from '../backups/restore-choices.ts'
import { getRelease } from '../releases/release-archive.ts'
import type { ReleaseStage } from './needs.ts'
import { PluginStatusError } from '../shared/errors.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { PluginRow, PluginStatus, ReleaseRow } from '../shared/models.ts'
import { chooseRelease, type Destination, type Fetching, type RollbackRequest } from './choose-release.ts'
import { ReleaseNotInUseError } from './errors.ts'
import type { DataPlan, Turn } from './plan-data.ts'

const mayRollBack: ReadonlySet<PluginStatus> = new Set<PluginStatus>(['installed', 'enabled', 'quarantined', 'broken'])

/** A rollback that may be tried: what its steps are handed until it is committed. */
export interface Rollback extends ReleaseStage {
  readonly plugin: PluginRow
  readonly from: ReleaseRow
  readonly to: Destination
  readonly request: RollbackRequest
  readonly actor: Principal | null
  /** What it does to the rows: from the step that loads the release on. */
  plan?: RollbackPlan
  /** What a restore puts back of tenants' and users' choices: from the step that verifies the backup on. */
  choices?: Choices
  /** What is told once it is committed. */
  readonly afterwards: (() => Promise<void>)[]
}

/** The two releases of a rollback, and what it does to the rows. */
interface RollbackPlan {
  readonly turn: Turn
  readonly data: DataPlan
}

/** Finds the release that a rollback leads to; throws what stands in its way. What had to be fetched for it is there. */
export async function beginRollback(
  stage: ReleaseStage,
  pluginId: number,
  { request, actor, fetching }: { request: RollbackRequest; actor: Principal | null; fetching: Fetching | undefined },
): Promise<Rollback> {
  const { parts, operation } = stage
  const plugin = await getPlugin(parts.db, String(pluginId))
  requireSteady(plugin)
  const { undoes } = request
  if (undoes && plugin.activeRelease !== undoes.release) throw new ReleaseNotInUseError()
  const from = await getRelease(parts.db, plugin.activeRelease)
  const to = await chooseRelease(parts, plugin, request, fetching)
  const { version } = 'kept' in to ? to.kept : to.incoming.opened.manifest
  await operation.describe({ fromRelease: from.version, toRelease: version })
  return { ...stage, plugin, from, to, request, actor, afterwards: [] }
}

/** Throws 409/4094 for a plugin that there is no way back for, as it is. */
export function requireSteady({ removing, status }: PluginRow): void {
  if (removing) throw new PluginStatusError({ status: 'removing' })
  if (!mayRollBack.has(status)) throw new PluginStatusError({ status })
}

/** What a rollback does to the rows, once that is known. */
export function planOf({ plan }: Pick<Rollback, 'plan'>): RollbackPlan {
  if (!plan) throw new Error('A rollback is planned when its release is loaded')
  return plan
}
