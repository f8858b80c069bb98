import { abandonBackup } from '../backups/abandon-backup.ts'
import { readChoices } from '../backups/restore-choices.ts'
import { verifyBackup } from '../backups/verify-backup.ts'
import { writeBackup } from '../backups/write-backup.ts'
import type { Step } from '../operations/step.ts'
import { dropStrayFolders } from '../releases/stray-folders.ts'
import { closeGate, drain, openGate } from '../running/gate.ts'
import { settleRunning } from '../running/settle.ts'
import type { ReleaseStage } from './needs.ts'
import { dropFetched, isFetched, keepFetched, storeFetched } from './keep-fetched.ts'
import { loadRelease } from './load-release.ts'
import { planOf, type Rollback } from './rollback.ts'
import { turnBack, type TurnedBack } from './turn-back.ts'

/** The steps of a rollback, in order. The hook for upgrades is not for this. */
export const rollbackSteps: readonly Step<Rollback, ReleaseStage>[] = [
  { name: 'store', when: isFetched, isForeseen: true, prepare: storeFetched, undo: dropStrayFolders },
  { name: 'keep', when: isFetched, isForeseen: true, change: keepFetched, undo: dropFetched },
  { name: 'load', prepare: loadRelease },
  { name: 'verify', when: restores, prepare: verify },
  { name: 'backup', when: movesRows, prepare: backUp, undo: abandonBackup },
  { name: 'gate', when: movesRunning, change: closeGate, undo: openGate },
  { name: 'drain', when: movesRunning, prepare: drain },
  { name: 'commit', commit: turnBack, tell: tellChoices },
  { name: 'converge', finish: follow },
  { name: 'objects', finish: dropObjects },
]

function restores(rollback: Rollback): boolean {
  return planOf(rollback).data.data === 'restore'
}

async function verify(rollback: Rollback): Promise<void> {
  const { parts } = rollback
  const { data } = planOf(rollback)
  if (data.data !== 'restore') return
  await verifyBackup(parts, data.backup)
  rollback.choices = await readChoices(parts, data.backup)
}

function movesRows(rollback: Rollback): boolean {
  return planOf(rollback).data.data !== 'keep'
}

/** What goes now can be had back. */
function backUp({ parts, operation, plugin, from }: Rollback) {
  return writeBackup(parts, operation, { plugin, release: from })
}

/** Where tables change under it, no call is let in meanwhile. */
function movesRunning(rollback: Rollback): boolean {
  return rollback.plugin.status === 'enabled' && movesRows(rollback)
}

/** Whoever keeps settings in mind reads them anew. */
async function tellChoices({ afterwards }: Rollback): Promise<void> {
  for (const tell of afterwards) await tell()
}

async function follow({ parts, operation }: ReleaseStage): Promise<void> {
  await settleRunning(parts, operation, operation.result<TurnedBack>('commit').generation)
  await parts.access.invalidate('all')
}

/** Those that nothing leads to since the rows were restored. */
function dropObjects({ parts }: ReleaseStage): Promise<unknown> {
  return parts.storage.snapshots.sweep()
}
