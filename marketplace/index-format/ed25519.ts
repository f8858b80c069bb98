import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { SigningKey } from '../package/signature.ts'

/** Signs bytes for one purpose; base64 of 64 bytes. */
export function signFor(domain: string, bytes: Buffer, { publicKey, privateKey }: SigningKey): string {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: privateKey }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  return sign(null, Buffer.concat([Buffer.from(domain), bytes]), key).toString('base64')
}

/** Whether a signature was made over these bytes, for this purpose, by the owner of this key. */
export function isSignedFor(domain: string, bytes: Buffer, publicKey: string, sig: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.concat([Buffer.from(domain), bytes]), key, Buffer.from(sig, 'base64'))
  } catch {
    return false
  }
}
