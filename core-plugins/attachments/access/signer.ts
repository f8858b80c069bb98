import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Environment } from '#kernel'
import type { Attachment } from '../models.ts'

/** What a signature opens. */
export type SignedOperation = 'access' | 'image'
/** What of an attachment a signature names. */
type SignedAttachment = Pick<Attachment, 'id' | 'tenantId'>

/** Within a window a link stays the same, so that browsers keep what it gave. */
const windowSeconds = 900
const weekSeconds = 7 * 86_400

/** Signs links to attachments and checks them; each tenant has a key of its own. */
export class Signer {
  readonly #secrets: readonly [string, ...string[]]

  /** The first secret signs, all verify. */
  constructor({ appSecret, appSecretPrevious }: Pick<Environment, 'appSecret' | 'appSecretPrevious'>) {
    this.#secrets = [appSecret, ...(appSecretPrevious === undefined ? [] : [appSecretPrevious])]
  }

  /** The signature; `exp` in seconds of Unix time. */
  sign(op: SignedOperation, attachment: SignedAttachment, exp: number, canonical: string): string {
    return macOf(this.#secrets[0], op, attachment, exp, canonical).toString('base64url')
  }

  /** Whether a signature is one of ours for exactly this, and its time is neither over nor further ahead than any of ours. */
  isValid(
    op: SignedOperation,
    attachment: SignedAttachment,
    { exp, sign, canonical }: { readonly exp: number; readonly sign: string; readonly canonical: string },
    now = Date.now(),
  ): boolean {
    const seconds = now / 1000
    if (!Number.isSafeInteger(exp) || exp <= seconds || exp > seconds + weekSeconds) return false
    const given = Buffer.from(sign, 'base64url')
    if (given.toString('base64url') !== sign) return false
    return this.#secrets.some((secret) => {
      const wanted = macOf(secret, op, attachment, exp, canonical)
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    })
  }
}

/** When a link that is made now ends, in seconds of Unix time: the end of a window, so that links within one are equal. */
export function expiryOf(ttlSeconds: number, now = Date.now()): number {
  const seconds = now / 1000
  const wanted = Math.ceil((seconds + ttlSeconds) / windowSeconds) * windowSeconds
  const last = Math.floor((seconds + weekSeconds) / windowSeconds) * windowSeconds
  return Math.min(wanted, last)
}

function macOf(
  secret: string,
  op: SignedOperation,
  { id, tenantId }: SignedAttachment,
  exp: number,
  canonical: string,
): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'attachment-sign', String(tenantId), 32))
  return createHmac('sha256', key).update(`v1\n${op}\n${id}\n${exp}\n${canonical}`).digest()
}
