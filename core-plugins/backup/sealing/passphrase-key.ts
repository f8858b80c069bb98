import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'

/** How the key of a target is made from its passphrase: scrypt (RFC 7914). */
export interface KeyRecipe {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  /** Base64url. */
  readonly salt: string
  /** Tells the right passphrase from a wrong one before anything is read. */
  readonly check: string
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)
/** 128 MiB and a good part of a second for each guess. */
const cost = { n: 131_072, r: 8, p: 1 } as const
/** A recipe that somebody changed must not take the machine's memory. */
const most = { n: 1_048_576, r: 16, p: 4 } as const
const leastCharacters = 12

/** A recipe for a new target, and the key it gives. */
export async function createKey(passphrase: string): Promise<{ readonly recipe: KeyRecipe; readonly key: Buffer }> {
  if (passphrase.length < leastCharacters) {
    throw new BackupError(texts.keep('notice.backup_passphrase_short', { least: leastCharacters }))
  }
  const salt = randomBytes(32)
  const key = await keyFrom(passphrase, salt, cost)
  return { key, recipe: { kdf: 'scrypt', ...cost, salt: salt.toString('base64url'), check: checkOf(key) } }
}

/** The key of a target; a BackupError says that the passphrase is another one. */
export async function openKey(passphrase: string, { kdf, n, r, p, salt, check }: KeyRecipe): Promise<Buffer> {
  if ((kdf as string) !== 'scrypt' || !(n <= most.n && r <= most.r && p <= most.p)) {
    throw new BackupError('The target says nothing usable of how its key is made')
  }
  const key = await keyFrom(passphrase, Buffer.from(salt, 'base64url'), { n, r, p })
  const found = Buffer.from(checkOf(key))
  const wanted = Buffer.from(check)
  if (found.length === wanted.length && timingSafeEqual(found, wanted)) return key
  throw new BackupError(texts.keep('notice.backup_passphrase_wrong'))
}

function keyFrom(passphrase: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }): Promise<Buffer> {
  return derive(passphrase.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r })
}

function checkOf(key: Buffer): string {
  return createHmac('sha256', key).update('stoa backup check').digest('base64url')
}
