import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { StartError } from '#kernel'
import type { BucketAccess } from '../target/target-volume.ts'

const names = ['backup', 'restore', 'verify', 'list'] as const

/** What a command was told. */
export interface BackupArguments {
  readonly command: (typeof names)[number]
  /** An absolute path or a bucket. */
  readonly place: string
  readonly passphrase: string | undefined
  readonly id: string | undefined
  readonly force: boolean
  readonly allFiles: boolean
  readonly allowMissing: boolean
  readonly scratch: string | undefined
  readonly access: BucketAccess
}

/** Reads the command line and the variables beside it; a StartError says how it should be. */
export function readArguments(
  [name, ...rest]: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): BackupArguments {
  const command = names.find((known) => known === name)
  if (!command) throw new StartError(`Say what to do: ${names.join(', ')}`)
  const isBackup = command === 'backup'
  const values = parse(command, rest)
  const place = values[isBackup ? 'to' : 'from']
  if (typeof place !== 'string' || place === '') {
    throw new StartError(`Say where the backups are: --${isBackup ? 'to' : 'from'} FOLDER or s3://bucket/prefix`)
  }
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return {
    command,
    place: place.startsWith('s3://') ? place : path.resolve(place),
    passphrase: readPassphrase(
      text(values['key-file']),
      variables['BACKUP_PASSPHRASE'],
      isBackup,
      values['encrypt'] === true,
    ),
    id: text(values['id']),
    force: values['force'] === true,
    allFiles: values['all-files'] === true,
    allowMissing: values['allow-missing'] === true,
    scratch: text(values['scratch']),
    access: {
      endpoint: variables['AWS_ENDPOINT_URL_S3'] || variables['AWS_ENDPOINT_URL'] || '',
      region: variables['AWS_REGION'] || '',
      accessKeyId: variables['AWS_ACCESS_KEY_ID'] || '',
      secretAccessKey: variables['AWS_SECRET_ACCESS_KEY'] || '',
    },
  }
}

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const options = {
  backup: { to: text, encrypt: flag, 'key-file': text, 'all-files': flag, 'allow-missing': flag },
  restore: { from: text, 'key-file': text, id: text, force: flag },
  verify: { from: text, 'key-file': text, id: text, scratch: text },
  list: { from: text, 'key-file': text },
} as const

function parse(command: BackupArguments['command'], args: readonly string[]): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ args: [...args], options: options[command] }).values
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** A file is read to its end but for the line end that editors leave. */
function readPassphrase(file: string | undefined, variable: string | undefined, isBackup: boolean, encrypt: boolean) {
  if (isBackup && !encrypt) return undefined
  const found = file === undefined ? variable || undefined : readKeyFile(file)
  if (found === undefined && isBackup) throw new StartError('--encrypt needs BACKUP_PASSPHRASE, or --key-file FILE')
  return found
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd()
  } catch (error) {
    throw new StartError(`The key file cannot be read: ${(error as Error).message}`)
  }
}
