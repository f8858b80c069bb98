import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { readEnvironment, type Environment } from '#kernel'
import { BackupError } from '../backup-error.ts'
import { fingerprintsOf } from '../key-fingerprints.ts'
import type { BackupManifest } from '../manifest.ts'

type Variables = Readonly<Record<string, string | undefined>>
const names = ['APP_SECRET', 'JWT_KEYS', 'CONFIG_FERNET_KEYS'] as const
/** Fit for every rule of the environment, and nobody's. */
const placeholder = 'A'.repeat(43)

/** DATA_DIR/secrets.json, where there is one. */
export async function readSecretsFile(dataDir: string): Promise<Buffer | undefined> {
  try {
    return await readFile(secretsFile(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The environment of a machine that has no secrets yet, without making any. */
export function readPlainEnvironment(variables: Variables): Environment {
  const given = Object.fromEntries(names.map((name) => [name, variables[name] || placeholderOf(name)]))
  return readEnvironment({ ...variables, ...given })
}

/** The secrets that a host on this machine will have once the backup is restored: those of the environment, then those of the file. */
export async function readRestoredEnvironment(
  variables: Variables,
  dataDir: string,
  restored: Buffer | undefined,
): Promise<Environment> {
  const text = restored ?? (await readSecretsFile(dataDir))
  const stored = text ? (JSON.parse(text.toString('utf8')) as Variables) : {}
  const missing = names.find((name) => !(variables[name] || stored[name]))
  if (missing)
    throw new BackupError(
      `${missing} is needed: the backup has no secrets, set those of the platform that it was made of`,
    )
  return readEnvironment({
    ...variables,
    ...Object.fromEntries(names.map((name) => [name, variables[name] || stored[name]])),
  })
}

/** Throws a BackupError when these keys do not open what is sealed in the backup, or are not those of plugins' roles and links. */
export function requireKeys(environment: Environment, { keys }: BackupManifest): void {
  const { fernet, app } = fingerprintsOf(environment)
  if (!keys.fernet.some((key) => fernet.includes(key))) {
    throw new BackupError('CONFIG_FERNET_KEYS has none of the keys of this backup: nothing that is sealed would open')
  }
  if (app !== keys.app)
    throw new BackupError('APP_SECRET is not the one of this backup: sessions and signed links would end')
}

/** Throws a BackupError when other secrets stand where those of the backup would; with `force` they are put aside. */
export async function requireSecretsPlace(
  dataDir: string,
  restored: Buffer | undefined,
  force: boolean,
): Promise<void> {
  const present = restored && (await readSecretsFile(dataDir))
  if (!present || present.equals(restored) || force) return
  throw new BackupError(
    `${secretsFile(dataDir)} has other secrets: take an empty DATA_DIR, or --force, which puts them aside`,
  )
}

/** Puts the secrets in their place, readable by their owner alone. */
export async function writeSecretsFile(dataDir: string, restored: Buffer | undefined): Promise<void> {
  const present = restored && (await readSecretsFile(dataDir))
  if (!restored || present?.equals(restored)) return
  const file = secretsFile(dataDir)
  if (present) await rename(file, `${file}.before-restore`)
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, restored, { mode: 0o600, flush: true })
  await rename(draft, file)
}

function secretsFile(dataDir: string): string {
  return path.join(dataDir, 'secrets.json')
}

function placeholderOf(name: (typeof names)[number]): string {
  return name === 'JWT_KEYS' ? `k:${placeholder}` : placeholder
}
