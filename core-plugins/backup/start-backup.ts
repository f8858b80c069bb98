import { createRequire } from 'node:module'
import type { DatabaseConnection, Needed, Scope } from '#kernel'
import type { needs } from './needs.ts'
import { readSecretsFile } from './command/secrets-file.ts'
import { fingerprintsOf } from './key-fingerprints.ts'
import { deleteBackups, listExpired, type Retention } from './prune.ts'
import { backupRoutes } from './routes.ts'
import { BackupRuns } from './runs/backup-runs.ts'
import { BackupSchedule, type ScheduledBackup } from './runs/backup-schedule.ts'
import { guardSettings } from './runs/settings-guard.ts'
import { settingsCheck, type BackupSettings } from './runs/settings.ts'
import { takeBackup } from './take-backup.ts'
import { BackupTarget } from './target/backup-target.ts'
import { openTargetVolume } from './target/target-volume.ts'
import { withBackupLock, type BackupLock } from './backup-lock.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
const everyMs = 30_000

/** Has backups made by the settings, and shows how they went. */
export function startBackup(scope: Scope, parts: Needed<typeof needs>): void {
  const { workflow, audit, access } = parts
  scope.use(workflow.register(settingsCheck))
  scope.use(workflow.registerGuard(guardSettings(access)))
  const runs = new BackupRuns(scope.db, audit)
  const make = (settings: BackupSettings, signal: AbortSignal) => makeBackup(scope, parts, settings, signal)
  const schedule = scope.use(new BackupSchedule({ ...parts, runs, log: scope.log, make }))
  scope.route(...backupRoutes(runs, schedule))
  scope.every(everyMs, () => schedule.tick())
}

async function makeBackup(
  { env, secrets, log }: Scope,
  {
    connection,
    drivers,
    storage,
  }: Pick<Needed<typeof needs>, 'drivers' | 'storage'> & { connection: DatabaseConnection },
  { target: place, passphrase, retention, allFiles, access }: BackupSettings,
  signal: AbortSignal,
): Promise<ScheduledBackup> {
  const openVolume = drivers.open.bind(drivers)
  return withBackupLock(connection.url, async (lock) => {
    const keys = fingerprintsOf(env)
    const target = await BackupTarget.openFor(keys.app, openTargetVolume(place, openVolume, access), passphrase)
    const source = {
      ...{ databaseUrl: connection.url, secrets, openVolume, platformVersion: version, keys },
      holdBytes: () => storage.hold(),
      secretsFile: await readSecretsFile(env.dataDir),
    }
    const progress = (line: string): void => log.debug({ line }, 'backup')
    const options = { allFiles, allowMissing: false, progress, confirm: lock.confirm }
    const made = await takeBackup(source, target, { ...options, signal: AbortSignal.any([signal, lock.signal]) })
    return { ...made, notPruned: await prune(target, retention, lock) }
  })
}

/** Lets old backups go; answers why that failed, which the new one does not suffer from. */
async function prune(
  target: BackupTarget,
  retention: Retention,
  { confirm }: Pick<BackupLock, 'confirm'>,
): Promise<Error | undefined> {
  try {
    await deleteBackups(target, listExpired(await target.list(), retention), confirm)
    return undefined
  } catch (error) {
    return error as Error
  }
}
