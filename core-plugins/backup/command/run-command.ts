import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createLogger, createSecretBox, startEmbeddedPostgres, type Environment, type Logger } from '#kernel'
import packageJson from '../../../package.json' with { type: 'json' }
import { BackupError } from '../backup-error.ts'
import type { OpenVolume } from '../volumes.ts'
import { fingerprintsOf } from '../key-fingerprints.ts'
import { presentBytes, type Progress } from '../progress.ts'
import { restoreBackup } from '../restoring/restore-backup.ts'
import { startScratchDatabase } from '../restoring/scratch-database.ts'
import { verifyBackup } from '../restoring/verify-backup.ts'
import { withBackupLock } from '../backup-lock.ts'
import { takeBackup } from '../take-backup.ts'
import { BackupTarget } from '../target/backup-target.ts'
import { openTargetVolume } from '../target/target-volume.ts'
import type { BackupArguments } from './arguments.ts'
import {
  readPlainEnvironment,
  readRestoredEnvironment,
  readSecretsFile,
  requireKeys,
  requireSecretsPlace,
  writeSecretsFile,
} from './secrets-file.ts'

/** What the commands take from where they are put together. */
interface CommandParts {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Opens places with what the environment allows. */
  readonly volumesOf: (environment: Environment) => OpenVolume
  readonly holdBytes: (databaseUrl: string, log: Logger) => Promise<AsyncDisposable>
  readonly readEnvironment: () => Environment
  /** Gets what is worth keeping; progress goes elsewhere. */
  readonly print: Progress
  readonly progress: Progress
}

const log = createLogger('error')
const mostPrinted = 20

/** Runs one of the commands about backups. */
export async function runCommand(given: BackupArguments, parts: CommandParts): Promise<void> {
  await { backup, restore, verify, list }[given.command](given, parts)
}

async function backup(given: BackupArguments, parts: CommandParts): Promise<void> {
  const { progress, print } = parts
  const plain = readPlainEnvironment(parts.variables)
  if (plain.databaseUrl === undefined && !existsSync(path.join(plain.dataDir, 'pg', 'data'))) {
    throw new BackupError(
      `There is no platform in ${plain.dataDir}: set DATA_DIR or DATABASE_URL as its hosts have them`,
    )
  }
  const environment = parts.readEnvironment()
  await using database = await openDatabaseOf(environment)
  await withBackupLock(database.url, async (lock) => {
    const openVolume = parts.volumesOf(environment)
    const keys = fingerprintsOf(environment)
    const volume = openTargetVolume(given.place, openVolume, given.access)
    const target = await BackupTarget.openFor(keys.app, volume, given.passphrase)
    const source = {
      ...{ databaseUrl: database.url, openVolume, platformVersion: packageJson.version },
      secrets: createSecretBox(environment),
      holdBytes: () => parts.holdBytes(database.url, log),
      ...{ keys, secretsFile: await readSecretsFile(environment.dataDir) },
    }
    const { manifest, sentFiles } = await takeBackup(source, target, { ...given, ...lock, progress })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const { count, bytes, elsewhere, missing } = manifest.files
    print(
      `${manifest.id}: ${manifest.tables.length} tables, ${rows} rows, ${count} files of ${presentBytes(bytes)}, ${sentFiles} sent`,
    )
    if (elsewhere > 0) print(`Not in it: ${elsewhere} files in buckets, unless --all-files copies them`)
    if (missing.length > 0) {
      const others = missing.length > mostPrinted ? ` and ${missing.length - mostPrinted} others` : ''
      print(`Not in it: files that are gone: ${missing.slice(0, mostPrinted).join(', ')}${others}`)
    }
    if (!target.isEncrypted)
      print(
        'Not in it: the secrets, which only encrypted backups have. Keep them elsewhere: without them nothing sealed opens',
      )
  })
}

async function restore(given: BackupArguments, parts: CommandParts): Promise<void> {
  const { progress, print, variables } = parts
  const plain = readPlainEnvironment(variables)
  const target = await openExisting(given, parts, plain)
  const manifest = await target.getManifest(given.id)
  const secrets = manifest.secrets ? await target.getPart(manifest.secrets) : undefined
  const environment = await readRestoredEnvironment(variables, plain.dataDir, secrets)
  requireKeys(environment, manifest)
  await requireSecretsPlace(plain.dataDir, secrets, given.force)
  await using opened = new AsyncDisposableStack()
  await restoreBackup(
    target,
    manifest,
    {
      async openDatabase() {
        await mkdir(environment.dataDir, { recursive: true, mode: 0o755 })
        return opened.use(await openDatabaseOf(environment)).url
      },
      secrets: createSecretBox(environment),
      openVolume: parts.volumesOf(environment),
      finish: () => writeSecretsFile(environment.dataDir, secrets),
    },
    { force: given.force, progress },
  )
  print(`${manifest.id} of ${manifest.made_at} is restored: start the platform`)
}

async function verify(given: BackupArguments, parts: CommandParts): Promise<void> {
  const target = await openExisting(given, parts, readPlainEnvironment(parts.variables))
  const manifest = await target.getManifest(given.id)
  await using opened = new AsyncDisposableStack()
  const url = given.scratch ?? opened.use(await startScratchDatabase(log)).url
  await verifyBackup(target, manifest, url, parts.progress)
  parts.print(`${manifest.id} of ${manifest.made_at} is whole`)
}

async function list(given: BackupArguments, parts: CommandParts): Promise<void> {
  const target = await openExisting(given, parts, readPlainEnvironment(parts.variables))
  for (const { id } of await target.list()) {
    const { made_at: madeAt, tables, files } = await target.getManifest(id)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    parts.print(`${id}  ${madeAt}  ${rows} rows  ${files.count} files of ${presentBytes(files.bytes)}`)
  }
}

function openExisting(given: BackupArguments, parts: CommandParts, environment: Environment): Promise<BackupTarget> {
  return BackupTarget.open(openTargetVolume(given.place, parts.volumesOf(environment), given.access), given.passphrase)
}

/** The embedded server is attached to where a host runs it, and started otherwise. */
async function openDatabaseOf({
  databaseUrl,
  dataDir,
}: Environment): Promise<{ readonly url: string } & AsyncDisposable> {
  if (databaseUrl !== undefined) return { url: databaseUrl, [Symbol.asyncDispose]: () => Promise.resolve() }
  return startEmbeddedPostgres({ dataDir, log })
}
