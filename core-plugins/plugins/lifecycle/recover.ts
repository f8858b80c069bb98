import type { AppError } from '#kernel'
import { finishBackup, finishBackupDeletion } from '../backups/backups.ts'
import { abandonBackup } from '../backups/abandon-backup.ts'
import { endsOperation, OperationInterruptedError } from '../errors.ts'
import { OperationRow, PluginRow, type OperationKind } from '../models.ts'
import { finishLicenceChange } from '../licences/change-licences.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { finishRepair } from '../repairs/repair-plugin.ts'
import { dropOtherIcons, finishIcon } from '../appearance/change-icon.ts'
import { finishChoice } from './choose.ts'
import { finishRollback } from '../rollbacks/roll-back.ts'
import { finishConsent } from './consent.ts'
import { finishDisable, finishEnable, finishSync } from './enable.ts'
import { abandonUpgrade } from '../upgrades/abandon-upgrade.ts'
import { finishUpgrade } from '../upgrades/finish-upgrade.ts'
import { finishInstall } from './install.ts'
import { finishUninstall } from './uninstall.ts'

/** What is left to do of an operation that was committed. */
const FINISH: Partial<Record<OperationKind, (parts: Parts, operation: Operation) => Promise<unknown>>> = {
  install: finishInstall,
  consent: finishConsent,
  enable: finishEnable,
  disable: finishDisable,
  sync: finishSync,
  license: finishLicenceChange,
  trial: finishLicenceChange,
  revoke_license: finishLicenceChange,
  capabilities: finishChoice,
  menu_config: finishChoice,
  icon: finishIcon,
  repair: finishRepair,
  upgrade: finishUpgrade,
  rollback: finishRollback,
  backup: finishBackup,
  delete_backup: finishBackupDeletion,
  uninstall: (parts, operation) => finishUninstall(parts, operation, null),
  force_cleanup: (parts, operation) => finishUninstall(parts, operation, null),
}

/** Ends an operation whose host died: what has happened is finished, what has not leaves nothing and answers why. */
export async function recoverOperation(parts: Parts, operation: Operation): Promise<AppError | undefined> {
  if (!operation.committed) {
    await abandonBackup(parts, operation)
    await dropStray(parts, operation.plugin)
    if (operation.kind === 'upgrade' || operation.kind === 'rollback') await abandonUpgrade(parts, operation)
    if (operation.kind === 'icon') await dropOtherIcons(parts, operation.plugin)
    const row = await OperationRow.with(parts.db).findById(operation.id)
    return new OperationInterruptedError({ step: row?.step ?? 'start' })
  }
  try {
    await FINISH[operation.kind]?.(parts, operation)
    return undefined
  } catch (error) {
    if (endsOperation(error)) return error
    throw error
  }
}

/** The files of an install that was not committed. */
async function dropStray({ db, store }: Parts, name: string): Promise<void> {
  const plugin = await PluginRow.with(db).findOne({ name })
  if (!plugin) await store.remove(name)
}
