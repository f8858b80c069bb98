import { createHmac, randomInt } from 'node:crypto'

const count = 10
const length = 10
// Without letters and digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** New recovery codes, ten of about 49 random bits, as they are shown once: `abcde-fgh23`. */
export function generateRecoveryCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
    return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
  })
}

/** What of a recovery code is stored: a MAC, so that the table alone gives no code away. */
export function macRecoveryCode(key: Buffer, code: string): string {
  const letters = code.toLowerCase().replace(/[\s-]/g, '')
  return createHmac('sha256', key).update(letters).digest('hex')
}
