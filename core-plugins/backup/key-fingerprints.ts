import { createHmac } from 'node:crypto'
import type { Environment } from '#kernel'
import type { BackupManifest } from './manifest.ts'

/** Tells which keys a backup needs without saying them. */
export function fingerprintsOf({
  fernetKeys,
  appSecret,
}: Pick<Environment, 'fernetKeys' | 'appSecret'>): BackupManifest['keys'] {
  return { fernet: fernetKeys.map(fingerprint), app: fingerprint(appSecret) }
}

function fingerprint(key: string): string {
  return createHmac('sha256', key.replace(/=+$/, '')).update('stoa backup fingerprint').digest('base64url').slice(0, 16)
}
