import type { Knex } from 'knex'
import { OperationInProgressError } from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import { pauseFor, recordedEnd } from '../operations/ended-operation.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { giveUp } from './give-up.ts'
import { listWatches, type Watched } from './watches.ts'

const patienceMilliseconds = 30_000

/**
 * Waits until the release is taken back that an upgrade had to give up, here or by another host that saw it first, and throws what
 * is recorded of the upgrade by then. What cannot be done within the patience of a caller is left to the watch.
 */
export async function seeUndone(parts: ReleaseChangeNeeds, operationId: string): Promise<void> {
  const { db, operations } = parts
  const { signal } = operations
  const patience = performance.now() + patienceMilliseconds
  while (performance.now() < patience) {
    const watch = (await listWatches(db)).find((one) => one.operationId === operationId)
    if (watch) await giveUpUnlessBusy(parts, watch)
    else if (!(await isUndoing(db, operationId))) break
    await pauseFor(operationId, signal)
  }
  await recordedEnd(db, operationId, signal)
}

async function giveUpUnlessBusy(parts: ReleaseChangeNeeds, watch: Watched): Promise<void> {
  try {
    await giveUp(parts, watch)
  } catch (error) {
    if (error instanceof OperationInProgressError) return
    parts.log.warn({ err: error, plugin: watch.name }, 'a release is taken back later')
  }
}

/** The watch ends when the release before is wanted again, and the rollback when every host has followed. */
async function isUndoing(db: Knex, operationId: string): Promise<boolean> {
  const undoing = OperationRow.with(db).where({ kind: 'rollback', state: 'running' })
  return (await undoing.whereRaw(`options ->> 'undoes' = ?`, [operationId]).resultSize()) > 0
}
