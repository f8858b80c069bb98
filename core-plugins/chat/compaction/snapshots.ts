import type { Knex } from 'knex'
import { hashOf, type PathEntry } from './path.ts'
import { CompactionStateRow, SnapshotRow } from './tables.ts'

interface Named {
  readonly id: string
  readonly tenantId: number
}

const keptVersions = 20

/** The snapshots of a conversation, the youngest first. */
export async function listSnapshots({ id, tenantId }: Named, db: Knex): Promise<readonly SnapshotRow[]> {
  return await SnapshotRow.of(tenantId, db)
    .where({ conversation_id: id })
    .orderBy('version', 'desc')
    .limit(keptVersions)
}

/** The youngest snapshot of what stands on this branch as it stands there now. */
export function fitting(
  snapshots: readonly SnapshotRow[],
  path: readonly PathEntry[],
): { readonly snapshot: SnapshotRow; readonly covered: number } | undefined {
  for (const snapshot of snapshots) {
    const covered = path.findIndex(({ id }) => id === snapshot.toId) + 1
    if (covered > 0 && hashOf(path.slice(0, covered)) === snapshot.sourceHash) return { snapshot, covered }
  }
  return undefined
}

/** Makes it this one's work for a while; false where somebody is at it. */
export async function takeWork(
  { id, tenantId }: Named,
  builder: string,
  milliseconds: number,
  db: Knex,
): Promise<boolean> {
  const { rowCount } = (await db
    .raw(
      `insert into ai_compaction_states as state (conversation_id, tenant_id, builder, building_until)
       values (?, ?, ?, now() + ? * interval '1 millisecond')
       on conflict (conversation_id) do update set builder = excluded.builder, building_until = excluded.building_until
       where state.building_until is null or state.building_until < now()`,
      [id, tenantId, builder, milliseconds],
    )
    .queryContext({ tenant: tenantId })) as { rowCount: number }
  return rowCount > 0
}

/** How work on a snapshot went. */
interface WorkOutcome {
  readonly model: 'answered' | 'failed' | 'not_asked'
  /** Whether nothing came of it. */
  readonly isBroken: boolean
}

/** Lets go of the work, and keeps how it went; false where it was another's by then. */
export async function endWork(
  { id, tenantId }: Named,
  builder: string,
  outcome: WorkOutcome | undefined,
  db: Knex,
): Promise<boolean> {
  const state = await CompactionStateRow.of(tenantId, db).findById(id).where({ builder }).forUpdate()
  if (!state) return false
  await CompactionStateRow.of(tenantId, db)
    .findById(id)
    .patch({
      ...{ builder: null, buildingUntil: null },
      ...(outcome && {
        failedAt: outcome.isBroken ? new Date() : null,
        ...(outcome.model === 'failed' && { failures: state.failures + 1, modelFailedAt: new Date() }),
        ...(outcome.model === 'answered' && { failures: 0, modelFailedAt: null }),
      }),
    })
  return true
}

/** Keeps a snapshot as the next version, and the last twenty of them. */
export async function keepSnapshot(
  { id, tenantId }: Named,
  snapshot: Omit<Partial<SnapshotRow>, 'version' | 'tenantId'>,
  trx: Knex.Transaction,
): Promise<SnapshotRow> {
  const last = await SnapshotRow.of(tenantId, trx).where({ conversation_id: id }).max('version as version').first()
  const version = (last?.version ?? 0) + 1
  await SnapshotRow.of(tenantId, trx)
    .where({ conversation_id: id })
    .where('version', '<=', version - keptVersions)
    .delete()
  return SnapshotRow.of(tenantId, trx)
    .insert({ ...snapshot, conversationId: id, version })
    .returning('*')
}
