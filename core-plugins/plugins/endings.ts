import type { Scope } from '#kernel'
import { abandonBackup } from './backups/abandon-backup.ts'
import { finishBackup, finishBackupDeletion } from './backups/backups.ts'
import { dropOtherIcons, finishIcon } from './choices/change-icon.ts'
import { finishChoice } from './choices/choose.ts'
import { finishConsent } from './enabling/consent.ts'
import { finishDisable, finishEnable, finishSync } from './enabling/enable.ts'
import { finishInstall } from './install/install.ts'
import { finishLicenceChange } from './licences/change-licences.ts'
import type { Ending, Endings } from './operations/endings.ts'
import type { Operation } from './operations/operation.ts'
import { finishUninstall } from './removal/uninstall.ts'
import { finishRepair } from './repairs/repair-plugin.ts'
import { endingOfRollbacks } from './rollbacks/roll-back.ts'
import { PluginRow } from './shared/models.ts'
import type { OperationKind } from './shared/operation-kinds.ts'
import { endingOfUpgrades } from './upgrades/end-upgrade.ts'
import type { VerbNeeds } from './needs.ts'

type Finish = (parts: VerbNeeds, operation: Operation) => Promise<unknown>

/** How each kind of operation is ended whose host died. */
const endings: Readonly<Record<OperationKind, (parts: VerbNeeds) => Ending>> = {
  install: (parts) => ({ ...finishing(finishInstall)(parts), abandon: ({ plugin }) => dropStray(parts, plugin) }),
  consent: finishing(finishConsent),
  enable: finishing(finishEnable),
  disable: finishing(finishDisable),
  sync: finishing(finishSync),
  license: finishing(finishLicenceChange),
  trial: finishing(finishLicenceChange),
  revoke_license: finishing(finishLicenceChange),
  capabilities: finishing(finishChoice),
  menu_config: finishing(finishChoice),
  icon: (parts) => ({ ...finishing(finishIcon)(parts), abandon: ({ plugin }) => dropOtherIcons(parts, plugin) }),
  repair: finishing(finishRepair),
  upgrade: endingOfUpgrades,
  rollback: endingOfRollbacks,
  backup: (parts) => ({
    ...finishing(finishBackup)(parts),
    abandon: (operation) => abandonBackup({ parts, operation }),
  }),
  delete_backup: finishing(finishBackupDeletion),
  uninstall: finishing(finishRemoval),
  force_cleanup: finishing(finishRemoval),
}

/** Registers how operations on plugins are ended; ends with the scope. */
export function registerEndings(scope: Pick<Scope, 'use'>, to: Endings, parts: VerbNeeds): void {
  for (const [kind, endingOf] of Object.entries(endings)) scope.use(to.register(kind as OperationKind, endingOf(parts)))
}

/** One that leaves nothing when it was not committed. */
function finishing(finish: Finish): (parts: VerbNeeds) => Ending {
  return (parts) => ({ finish: (operation) => finish(parts, operation) })
}

function finishRemoval(parts: VerbNeeds, operation: Operation): Promise<void> {
  return finishUninstall(parts, operation, null)
}

/** The files of an install that was not committed. */
async function dropStray({ db, store }: VerbNeeds, name: string): Promise<void> {
  const plugin = await PluginRow.with(db).findOne({ name })
  if (!plugin) await store.remove(name)
}
