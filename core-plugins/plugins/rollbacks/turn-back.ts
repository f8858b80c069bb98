import type { Knex } from 'knex'
import { snapshotOf } from '../backups/drop-backups.ts'
import { restoreChoices } from '../backups/restore-choices.ts'
import { restoreTables } from '../backups/restore-tables.ts'
import { requireCompatible } from '../releases/compatibility.ts'
import { requireFitting } from '../releases/require-fitting.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { queueNotice } from '../running/notices.ts'
import { PluginRow } from '../shared/models.ts'
import { migrateOwnTables, revertOwnTables } from '../tables/own-tables.ts'
import type { DataPlan } from './plan-data.ts'
import { texts } from '../texts/texts.ts'
import { planOf, type Rollback } from './rollback.ts'
import { takeGrants } from './take-grants.ts'

/** What the one transaction of a rollback did. */
export interface TurnedBack {
  readonly generation: number
  readonly from: string
  readonly version: string
  readonly automatic: boolean
  readonly data: DataPlan['data']
}

/** Rows, rights and pointer together, or nothing of it. */
export async function turnBack(trx: Knex.Transaction, rollback: Rollback): Promise<TurnedBack> {
  const { parts, plugin, from, request, actor } = rollback
  const { turn, data } = planOf(rollback)
  const { release } = turn
  const { because } = request
  const automatic = because !== undefined
  await requireCompatible(trx, release.manifest)
  await requireFitting(trx, plugin.name, release.version)
  await takeGrants(trx, plugin.id, from, release)
  await moveData(trx, rollback)
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
      after: { version, release: release.treeHash, automatic, reason: because?.words ?? null, ...presentPlan(data) },
    },
    trx,
  )
  if (because) {
    const title = texts.keep('notice.rolled_back', { plugin: plugin.name, version })
    await queueNotice(trx, parts.jobs, { plugin: plugin.name, title, body: because })
  }
  const status = plugin.status === 'installed' ? 'installed' : 'enabled'
  const generation = await wantPlugin(trx, plugin.id, { status, reason: null, gate: null }, { reload: true })
  return { generation, from: from.version, version, automatic, data: data.data }
}

async function moveData(trx: Knex.Transaction, rollback: Rollback): Promise<void> {
  const { parts, plugin, choices, afterwards } = rollback
  const { turn, data } = planOf(rollback)
  const { name } = plugin
  const password = parts.sandbox.services.rolePassword(name)
  if (data.data === 'restore') {
    const { backup } = data
    const tenantIds = [0, ...(await parts.tenants.list()).map(({ id }) => id)]
    await restoreTables(trx, { backup, release: turn.to, password, tenantIds })
    await parts.storage.snapshots.restore(`plugins/${name}`, snapshotOf(backup), trx)
    if (choices) afterwards.push(await restoreChoices(parts, trx, plugin, choices))
    return
  }
  if (data.data === 'down') await revertOwnTables(trx, turn.from, turn.to)
  // Also where nothing moves: the role reaches what the release may reach, and no more.
  await migrateOwnTables(trx, turn.to, password)
}

function presentPlan(plan: DataPlan): object {
  if (plan.data !== 'restore') return plan
  return { data: plan.data, backup: plan.backup.name, rows_lost: plan.lost.rows }
}
