import { createHash } from 'node:crypto'
import type { PublisherRow } from './models.ts'

/** A trusted key of a publisher. */
export function presentPublisher(row: PublisherRow) {
  const { id, publisher, kid, publicKey, level, believed, source, addedBy, createdAt } = row
  return {
    ...{ id, publisher, kid, level, believed, source },
    public_key: publicKey,
    fingerprint: fingerprintOf(publicKey),
    added_by: addedBy,
    created_at: createdAt.toISOString(),
  }
}

/** SHA-256 over the 32 bytes of a public key, in hex: what two people compare. */
export function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex')
}
