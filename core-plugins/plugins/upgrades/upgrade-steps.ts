import type { Knex } from 'knex'
import { abandonBackup } from '../backups/abandon-backup.ts'
import { writeBackup } from '../backups/write-backup.ts'
import { recordQuestion } from '../consent/ask-consent.ts'
import type { Step } from '../operations/step.ts'
import { dropStrayFolders } from '../releases/stray-folders.ts'
import { closeGate, drain, openGate } from '../running/gate.ts'
import type { ReleaseStage } from '../rollbacks/needs.ts'
import { callUpgradeHook, findFault, isGivenUp } from './call-upgrade-hook.ts'
import { followUpgrade } from './follow-upgrade.ts'
import { pruneReleases } from './prune-releases.ts'
import { switchOver } from './switch-over.ts'
import type { Upgrade } from './upgrade.ts'
import { doom } from './watches.ts'

/** The steps of an upgrade, in order: a release that asks for more ends with `ask`, and every other one goes on to `switch`. */
export const upgradeSteps: readonly Step<Upgrade, ReleaseStage>[] = [
  { name: 'store', when: isIncoming, isForeseen: true, prepare: storeRelease, undo: dropStrayFolders },
  { name: 'load_test', prepare: testLoad },
  { name: 'ask', when: isWider, isForeseen: true, commit: recordQuestion },
  { name: 'backup', prepare: backUp, undo: abandonBackup },
  { name: 'gate', when: breaksSchema, isForeseen: true, change: closeGate, undo: openGate },
  { name: 'drain', when: breaksSchema, isForeseen: true, prepare: drain },
  { name: 'switch', commit: switchOver },
  { name: 'converge', finish: followUpgrade },
  { name: 'hook', finish: callUpgradeHook },
  { name: 'doom', when: isGivenUp, finishChange: giveReleaseUp },
  { name: 'prune', when: isKept, finish: pruneReleases },
]

function isIncoming({ target }: Upgrade): boolean {
  return 'incoming' in target
}

async function storeRelease({ parts, target }: Upgrade): Promise<void> {
  if ('incoming' in target) await parts.store.put(target.incoming.opened)
}

/** It is tried where it harms nobody. */
function testLoad({ parts, release }: Upgrade): Promise<void> {
  return parts.sandbox.checkLoad(release)
}

function isWider({ isGranted }: Upgrade): boolean {
  return !isGranted
}

function backUp({ parts, operation, plugin, active }: Upgrade) {
  return writeBackup(parts, operation, { plugin, release: active })
}

/** Calls that are in would meet tables that they do not know. */
function breaksSchema({ plugin, target }: Upgrade): boolean {
  return plugin.status === 'enabled' && target.manifest.upgrade?.breakingSchema === true
}

function isKept(stage: ReleaseStage): boolean {
  return !isGivenUp(stage)
}

function giveReleaseUp(trx: Knex.Transaction, stage: ReleaseStage): Promise<void> {
  return doom(trx, stage.operation, findFault(stage) ?? { words: '' })
}
