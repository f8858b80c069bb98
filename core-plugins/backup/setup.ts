import { createRequire } from 'node:module'
import { kernelStarted, sayError, type DatabaseConnection, type Needed, type Said, type Scope } from '#kernel'
import { withBackupLock, type BackupLock } from './backup-lock.ts'
import { configChanged } from '../config/contract.ts'
import { readSecretsFile } from './command/secrets-file.ts'
import { fingerprintsOf } from './key-fingerprints.ts'
import { deleteBackups, listExpired, type Retention } from './prune.ts'
import type { needs } from './needs.ts'
import type { Progress } from './progress.ts'
import { backupRoutes } from './routes.ts'
import { BackupJobs, type BackupJobParts, type MadeAndPruned } from './runs/backup-jobs.ts'
import { BackupRuns } from './runs/backup-runs.ts'
import { guardSettings } from './runs/settings-guard.ts'
import { checkSettings, type BackupSettings } from './runs/settings.ts'
import { tellAdministrators } from './runs/tell-administrators.ts'
import { takeBackup } from './take-backup.ts'
import { BackupTarget } from './target/backup-target.ts'
import { openTargetVolume } from './target/target-volume.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** Has backups made by the settings, and shows how they went. */
export function setupBackup(scope: Scope, parts: Needed<typeof needs>): void {
  const { workflow, audit, access, jobs, teller } = parts
  scope.use(workflow.register(checkSettings(jobs)))
  scope.use(workflow.registerGuard(guardSettings(access)))
  const runs = new BackupRuns(scope.db, audit)
  const make: BackupJobParts['make'] = (...run) => makeBackup(scope, parts, ...run)
  const backups = new BackupJobs({ ...parts, db: scope.db, runs, make })
  scope.use(jobs.register(tellAdministrators(parts)))
  scope.use(jobs.register(backups.kind))
  scope.route(...backupRoutes(runs, backups, teller))
  scope.on(configChanged, async ({ group }) => {
    if (group === 'platform_backup') await backups.follow()
  })
  // Its settings can be read once it is enabled.
  scope.on(kernelStarted, () => backups.follow())
}

async function makeBackup(
  { env, secrets }: Scope,
  {
    connection,
    drivers,
    storage,
  }: Pick<Needed<typeof needs>, 'drivers' | 'storage'> & { connection: DatabaseConnection },
  { target: place, passphrase, retention, allFiles, access }: BackupSettings,
  progress: Progress,
  signal: AbortSignal,
): Promise<MadeAndPruned> {
  const openVolume = drivers.open.bind(drivers)
  return withBackupLock(connection.url, async (lock) => {
    const keys = fingerprintsOf(env)
    const target = await BackupTarget.openFor(keys.app, openTargetVolume(place, openVolume, access), passphrase)
    const source = {
      ...{ databaseUrl: connection.url, secrets, openVolume, platformVersion: version, keys },
      holdBytes: () => storage.hold(),
      secretsFile: await readSecretsFile(env.dataDir),
    }
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
): Promise<Said | undefined> {
  try {
    await deleteBackups(target, listExpired(await target.list(), retention), confirm)
    return undefined
  } catch (error) {
    return sayError(error)
  }
}
