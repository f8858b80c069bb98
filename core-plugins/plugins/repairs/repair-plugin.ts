import { saidOf, type Principal, type Said } from '#kernel'
import type { Knex } from 'knex'
import { dropOtherIcons } from '../choices/change-icon.ts'
import { pluginsRepaired } from '../contract.ts'
import { PluginStatusError } from '../shared/errors.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { ReleaseTables } from '../tables/own-tables.ts'
import { GrantRow, ReleaseRow, type PluginRow, type PluginStatus } from '../shared/models.ts'
import type { EndedOperation } from '../operations/ended-operation.ts'
import type { Operation } from '../operations/operation.ts'
import type { RepairNeeds } from './needs.ts'
import type { IncomingRelease } from '../contract-packages.ts'
import { getRelease } from '../releases/release-archive.ts'
import { readReleaseTables } from '../tables/release-tables.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { isLasting } from '../running/lasting-fault.ts'
import { settleRunning } from '../running/settle.ts'
import { texts } from '../texts/texts.ts'
import { fault, fine, unmended, type Finding } from './finding.ts'
import { howToGetIt, inspect, type Inspection } from './inspect.ts'
import { mendTables } from './mend-tables.ts'
import { replaceArchive, takePackage } from './take-package.ts'

interface Committed {
  readonly status: PluginStatus
  readonly generation: number
  readonly findings: readonly Finding[]
  readonly folders: readonly string[]
}

/** How a repair left a plugin, and what it found. */
interface Repaired {
  readonly status: PluginStatus
  readonly findings: readonly Finding[]
}

interface Work {
  readonly release: ReleaseRow
  readonly found: Inspection
  readonly taken: IncomingRelease | undefined
  /** Undefined while the package is nowhere. */
  readonly tables: ReleaseTables | undefined
}

/** What a repair would find and do; nothing of it is done. */
export async function planRepair(parts: RepairNeeds, plugin: PluginRow): Promise<readonly Finding[]> {
  const release = await getRelease(parts.db, plugin.activeRelease)
  return (await inspect(parts, plugin, release, plugin.source !== null)).findings
}

/**
 * Mends what can be mended of a plugin: package, files, tables, role, strays; then every host loads it anew. A package that is
 * uploaded, of the very release that is active, takes the place of a damaged one.
 */
export async function repairPlugin(
  parts: RepairNeeds,
  plugin: PluginRow,
  actor: Principal,
  incoming?: IncomingRelease,
): Promise<Repaired> {
  const request = { plugin: plugin.name, pluginId: plugin.id, kind: 'repair' as const, actor: actor.userId }
  const ended = await parts.operations.run(request, async (operation) => {
    const row = await getPlugin(parts.db, plugin.name)
    if (row.removing) throw new PluginStatusError({ status: 'removing' })
    const release = await getRelease(parts.db, row.activeRelease)
    await operation.describe({ fromRelease: release.version, toRelease: release.version })
    const seen = await inspect(parts, row, release, row.source !== null || incoming !== undefined)
    await using fetched = seen.archive === 'whole' ? undefined : await fetchUnless(incoming, parts, row, release)
    const taken = incoming ?? fetched?.release
    const found = await inspect(parts, row, release, taken !== undefined)
    let tables: ReleaseTables | undefined
    await operation.step('unpack', async () => {
      tables = await unpack(parts, row, release, taken)
      return { unpacked: tables !== undefined }
    })
    await operation.change('commit', (trx) => commit(trx, parts, row, { release, found, taken, tables }, actor), {
      commits: true,
    })
    await finishRepair(parts, operation)
  })
  const findings = findingsOf(ended)
  const isBroken = findings.some(({ check, ok }) => check === 'start' && !ok)
  return { status: isBroken ? 'broken' : ended.result<Committed>('commit').status, findings }
}

/** What is left to do once a plugin was mended. */
export async function finishRepair(parts: RepairNeeds, operation: Operation): Promise<void> {
  const { generation, folders } = operation.result<Committed>('commit')
  const { plugin: name } = operation
  await operation.step('converge', () => settleRunning(parts, operation, generation))
  await operation.step('sweep', async () => {
    for (const folder of folders) await parts.store.removeFolder(name, folder)
    await dropOtherIcons(parts, name)
  })
  await parts.access.invalidate('all')
  await operation.step('start', async () => {
    const { status, reason, reasonSaid } = await getPlugin(parts.db, name)
    return status === 'broken' ? fault('start', 'manual', saidOf(reason, reasonSaid)) : fine('start')
  })
  await parts.emit(pluginsRepaired, { name, whole: unmended(findingsOf(operation)) === undefined })
}

function findingsOf(operation: EndedOperation): readonly Finding[] {
  const { findings } = operation.result<Committed>('commit')
  return [...findings, operation.result<Finding>('start')]
}

async function fetchUnless(
  incoming: IncomingRelease | undefined,
  parts: RepairNeeds,
  plugin: PluginRow,
  release: ReleaseRow,
): Promise<(AsyncDisposable & { readonly release: IncomingRelease }) | undefined> {
  const taken = incoming ? undefined : await takePackage(parts, plugin, release)
  return taken && { release: taken, [Symbol.asyncDispose]: async () => void (await taken[Symbol.asyncDispose]?.()) }
}

/** Brings the release onto this host, from the package at hand or the kept one; the other hosts do so when they load it. */
async function unpack(
  parts: RepairNeeds,
  { id, name }: PluginRow,
  release: ReleaseRow,
  taken: IncomingRelease | undefined,
): Promise<ReleaseTables | undefined> {
  if (taken && !(await parts.store.verify(release))) await parts.store.put(taken.opened)
  try {
    return await readReleaseTables((await parts.loader.prepare({ id, name, releaseId: release.id })).release)
  } catch (error) {
    // Nothing is wrong with the plugin where this host cannot look at the moment.
    if (!isLasting(error)) throw error
    parts.log.warn({ err: error, plugin: name }, 'a release could not be unpacked for a repair')
    return undefined
  }
}

async function commit(
  trx: Knex.Transaction,
  parts: RepairNeeds,
  { id, name, status: before }: PluginRow,
  { release, found, taken, tables }: Work,
  actor: Principal,
): Promise<Committed> {
  if (taken && found.archive !== 'whole') await replaceArchive(trx, parts, release, taken)
  const allowed = before === 'awaiting_consent' ? undefined : tables
  const mended = await mendTables(trx, found.tables, allowed, parts.sandbox.services.rolePassword(name))
  await dropForeignGrants(trx, id, name)
  // What could not be unpacked was not: one finding about the files, with what is left to do.
  const seen = tables ? found.findings : found.findings.filter(({ check }) => check !== 'files')
  const files = tables ? [] : [fault('files', 'manual', howToGetIt(release))]
  const findings = [...seen, ...files, ...mended, registries(before)]
  const wrong = unmended(findings.filter(({ check }) => tables === undefined || check !== 'package'))
  const status = statusAfter(before, wrong)
  const change = { status, reason: status === 'broken' ? (wrong ?? null) : null }
  const after = { status, found: findings.filter(({ ok }) => !ok).map(({ check, action }) => `${check}: ${action}`) }
  const entry = { tenantId: 0, actor, action: 'plugin.repaired', target: `plugin:${name}`, before: { status: before } }
  await parts.audit.record({ ...entry, after }, trx)
  return { status, generation: await wantPlugin(trx, id, change, { reload: true }), findings, folders: found.folders }
}

/** They are made anew in any case, and were not as they should be where the plugin could not be loaded. */
function registries(before: PluginStatus): Finding {
  const said = texts.keep('notice.on_every_host')
  return { check: 'registries', ok: before !== 'broken', action: 'loaded_anew', detail: said.words, said }
}

/** A plugin breaks or is paused while it is enabled, and so it is again; one whose package had gone waits for its administrator. */
function statusAfter(before: PluginStatus, wrong: Said | undefined): PluginStatus {
  if (wrong !== undefined) return before === 'awaiting_consent' ? before : 'broken'
  if (before === 'orphaned') return 'installed'
  return before === 'broken' || before === 'quarantined' ? 'enabled' : before
}

/** What was granted to releases that are not kept any more. */
async function dropForeignGrants(trx: Knex.Transaction, pluginId: number, name: string): Promise<void> {
  const kept = await ReleaseRow.with(trx).where({ name }).select('tree_hash')
  await GrantRow.with(trx)
    .where({ plugin_id: pluginId })
    .whereNotIn(
      'release_hash',
      kept.map(({ treeHash }) => treeHash),
    )
    .delete()
}
