import { Secret, TOTP } from 'otpauth'

const period = 30
const form = { algorithm: 'SHA1', digits: 6, period } as const

/** A new shared secret: 20 random bytes in base32 (RFC 4226 section 4). */
export function generateSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an authenticator app reads from a QR code. */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...form, issuer, label: account, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step a code belongs to, the present one or its neighbours (RFC 6238 section 5.2); undefined when it fits none. */
export function matchingStep(secret: string, code: string, timestamp = Date.now()): number | undefined {
  const delta = TOTP.validate({ ...form, token: code, secret: Secret.fromBase32(secret), timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / period) + delta
}
