import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CaptchaBinding } from '../contract.ts'

/** What is kept of an answer: without the key nobody can try what fits. */
export interface SealedAnswer {
  readonly salt: string
  readonly mac: string
}

/** Seals a text that somebody has to read, together with what it may be used for. */
export function sealAnswer(key: Buffer, binding: CaptchaBinding, text: string): SealedAnswer {
  const salt = randomBytes(16).toString('base64url')
  return { salt, mac: macOf(key, salt, binding, text).toString('base64url') }
}

/** Whether a text is the sealed one; upper and lower case and spaces around make no difference. */
export function isAnswer(key: Buffer, binding: CaptchaBinding, sealed: SealedAnswer, text: string): boolean {
  const expected = Buffer.from(sealed.mac, 'base64url')
  return timingSafeEqual(macOf(key, sealed.salt, binding, text), expected)
}

function macOf(key: Buffer, salt: string, { tenantId, endpoint, action }: CaptchaBinding, text: string): Buffer {
  const parts = ['captcha.image', salt, String(tenantId), endpoint, action, text.trim().toUpperCase()]
  const hmac = createHmac('sha256', key)
  // Each part says its length first, so that no two lists of parts read the same.
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
  return hmac.digest()
}
