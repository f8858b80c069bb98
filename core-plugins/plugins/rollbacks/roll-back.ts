import type { Principal } from '#kernel'
import type { Knex } from 'knex'
import { snapshotOf } from '../backups/drop-backups.ts'
import { readChoices, restoreChoices, type Choices } from '../backups/restore-choices.ts'
import { restoreTables } from '../backups/restore-tables.ts'
import { verifyBackup } from '../backups/verify-backup.ts'
import { writeBackup } from '../backups/write-backup.ts'
import { pluginsRolledBack } from '../contract.ts'
import { PluginStatusError } from '../errors.ts'
import { getPlugin } from '../lifecycle/find-plugin.ts'
import { migrateOwnTables, revertOwnTables, type ReleaseTables } from '../lifecycle/own-tables.ts'
import { PluginRow, type OperationKind, type PluginStatus, type ReleaseRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import { requireCompatible } from '../releases/compatibility.ts'
import { getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settleRunning } from '../running/settle.ts'
import { closeGate, reopenGate } from '../upgrades/gate.ts'
import { chooseRelease, type RollbackRequest } from './choose-release.ts'
import { ReleaseNotInUseError } from './errors.ts'
import { planData, type DataPlan, type Turn } from './plan-data.ts'
import { readReleaseTables } from './release-tables.ts'
import { requireFitting } from './require-fitting.ts'
import { takeGrants } from './take-grants.ts'

const MAY_ROLL_BACK: ReadonlySet<PluginStatus> = new Set<PluginStatus>([
  'installed',
  'enabled',
  'quarantined',
  'broken',
])

/** What is not to be waited for where no host can start the release that it brought. */
const OVERTAKEN: readonly OperationKind[] = ['enable', 'sync', 'repair', 'upgrade']

/** Leads a plugin back to an earlier release, with its tables as that release knows them; whatever fails, the one in use stays. */
export async function rollBack(
  parts: Parts,
  { id, name }: Pick<PluginRow, 'id' | 'name'>,
  request: RollbackRequest,
  actor: Principal | null,
): Promise<void> {
  const { automatic = false, reason = null } = request
  const { undoes } = request
  const options = { automatic, reason, data: request.data ?? null, ...(undoes && { undoes: undoes.operation }) }
  const about = { plugin: name, pluginId: id, kind: 'rollback' as const, actor: actor?.userId ?? null, options }
  const also = await listDependants(parts.db, name)
  await parts.operations.run({ ...about, also, overtakes: OVERTAKEN }, async (operation) => {
    const plugin = await requireMovable(parts.db, id)
    if (undoes && plugin.activeRelease !== undoes.release) throw new ReleaseNotInUseError()
    const from = await getRelease(parts.db, plugin.activeRelease)
    const { to: release, backup } = await chooseRelease(parts, operation, plugin, request, actor)
    await operation.describe({ fromRelease: from.version, toRelease: release.version })
    const turn = { from: await bringTables(parts, plugin, from), release, backup }
    // Whatever is wrong with it shows here, before anything has changed.
    const target = await parts.loader.prepare({ id, name, releaseId: release.id })
    await operation.step('load', () => parts.sandbox.checkLoad(target.release))
    const to = await readReleaseTables(target.release)
    const plan = await planData(parts, { ...turn, to }, request)
    if (plan.data === 'restore') await operation.step('verify', () => verifyBackup(parts, plan.backup))
    // What goes now can be had back.
    if (plan.data !== 'keep')
      await operation.step('backup', () => writeBackup(parts, operation, { plugin, release: from }))
    const choices = plan.data === 'restore' ? await readChoices(parts, plan.backup) : undefined
    const move: Move = { parts, plugin, from, turn: { ...turn, to }, plan, request, actor, choices, afterwards: [] }
    await turnBack(operation, move)
    for (const tell of move.afterwards) await tell()
    await finishRollback(parts, operation)
  })
}

/** What is left to do once a plugin is wanted at its earlier release; its hook for upgrades is not for this. */
export async function finishRollback(parts: Parts, operation: Operation): Promise<void> {
  const committed = operation.result<Committed>('commit')
  await operation.step('converge', () => settleRunning(parts, operation, committed.generation))
  await operation.step('objects', () => parts.storage.snapshots.sweep())
  await parts.access.invalidate('all')
  const { from, version, automatic } = committed
  await parts.emit(pluginsRolledBack, { name: operation.plugin, version, from, automatic })
}

interface Committed {
  readonly generation: number
  readonly from: string
  readonly version: string
  readonly automatic: boolean
  readonly data: DataPlan['data']
}

interface Move {
  readonly parts: Parts
  readonly plugin: PluginRow
  readonly from: ReleaseRow
  readonly turn: Turn
  readonly plan: DataPlan
  readonly request: RollbackRequest
  readonly actor: Principal | null
  /** What a restore puts back of tenants' and users' choices. */
  readonly choices: Choices | undefined
  /** What is told once it is committed. */
  readonly afterwards: (() => Promise<void>)[]
}

async function requireMovable(db: Knex, id: number): Promise<PluginRow> {
  const plugin = await getPlugin(db, String(id))
  if (plugin.removing) throw new PluginStatusError({ status: 'removing' })
  if (!MAY_ROLL_BACK.has(plugin.status)) throw new PluginStatusError({ status: plugin.status })
  return plugin
}

/** The files of the release in use may be what is broken; then the way back over its migrations is not known. */
async function bringTables(parts: Parts, { id, name }: PluginRow, from: ReleaseRow): Promise<ReleaseTables> {
  try {
    const { release } = await parts.loader.prepare({ id, name, releaseId: from.id })
    return await readReleaseTables(release)
  } catch (error) {
    parts.log.warn({ err: error, plugin: name, version: from.version }, 'the release in use cannot be read')
    return { manifest: from.manifest, migrations: [], files: [] }
  }
}

/** Where tables change under it, no call is let in meanwhile. */
async function turnBack(operation: Operation, move: Move): Promise<void> {
  const { parts, plugin, plan } = move
  const isGated = plugin.status === 'enabled' && plan.data !== 'keep'
  try {
    if (isGated) await closeGate(parts, operation, plugin.id)
    await operation.change('commit', (trx) => commit(trx, move), { commits: true })
  } catch (error) {
    // A host that stops leaves it to the one that takes over.
    if (isGated && !operation.committed && !operation.signal.aborted) await reopenGate(parts, operation, plugin.id)
    throw error
  }
}

async function commit(trx: Knex.Transaction, move: Move): Promise<Committed> {
  const { parts, plugin, from, turn, plan, request, actor } = move
  const { release } = turn
  const { automatic = false, reason = null } = request
  await requireCompatible(trx, release.manifest)
  await requireFitting(trx, plugin.name, release.version)
  await takeGrants(trx, plugin.id, from, release)
  await moveData(trx, move)
  const { version, manifest } = release
  const previous = release.id === from.id ? plugin.previousRelease : from.id
  await PluginRow.with(trx)
    .findById(plugin.id)
    .patch({
      ...{ activeRelease: release.id, previousRelease: previous, pendingRelease: null, watchedUntil: null },
      scope: manifest.scope,
    })
  await trx('plugin_watches').where({ plugin_id: plugin.id }).delete()
  await parts.audit.record(
    {
      ...{ tenantId: 0, actor, action: 'plugin.rolled_back', target: `plugin:${plugin.name}` },
      before: { version: from.version, release: from.treeHash },
      after: { version, release: release.treeHash, automatic, reason, ...presentPlan(plan) },
    },
    trx,
  )
  const status = plugin.status === 'installed' ? 'installed' : 'enabled'
  const generation = await wantPlugin(trx, plugin.id, { status, reason: null, gate: null }, { reload: true })
  return { generation, from: from.version, version, automatic, data: plan.data }
}

async function moveData(trx: Knex.Transaction, move: Move): Promise<void> {
  const { parts, plugin, turn, plan, choices, afterwards } = move
  const { name } = plugin
  const password = parts.sandbox.services.rolePassword(name)
  if (plan.data === 'restore') {
    const { backup } = plan
    const tenantIds = [0, ...(await parts.tenants.list()).map(({ id }) => id)]
    await restoreTables(trx, { backup, release: turn.to, password, tenantIds })
    await parts.storage.snapshots.restore(`plugins/${name}`, snapshotOf(backup), trx)
    if (choices) afterwards.push(await restoreChoices(parts, trx, plugin, choices))
    return
  }
  if (plan.data === 'down') await revertOwnTables(trx, turn.from, turn.to)
  // Also where nothing moves: the role reaches what the release may reach, and no more.
  await migrateOwnTables(trx, turn.to, password)
}

function presentPlan(plan: DataPlan): object {
  if (plan.data !== 'restore') return plan
  return { data: plan.data, backup: plan.backup.name, rows_lost: plan.lost.rows }
}
