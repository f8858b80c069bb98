import { createPrivateKey, sign } from 'node:crypto'
import type { Licence, SigningKey } from '#marketplace'

/** A licence that holds for an hour. */
export function sampleLicence(more: Partial<Record<keyof Licence, unknown>> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  return {
    ...{ v: 1, typ: 'lic', jti: 'licence-0001', kid: 'acme-lic', plugin: 'acme.paid', pub: 'acme', host: '*' },
    ...{ tenants: '*', features: ['export'], nbf: now - 60, exp: now + 3600, grace: 7 },
    ...more,
  }
}

/** Signs any text the way a licence is signed. */
export function signText(text: string | Buffer, key: SigningKey, domain = 'plugin-license-v1\n'): string {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d: key.privateKey }
  const payload = Buffer.from(text)
  const bytes = Buffer.concat([Buffer.from(domain), payload])
  const sig = sign(null, bytes, createPrivateKey({ key: jwk, format: 'jwk' }))
  return `${payload.toString('base64url')}.${sig.toString('base64url')}`
}

/** Members that make a payload no licence, though the publisher signed it. */
export const wrongMembers: Readonly<Record<string, Partial<Record<string, unknown>>>> = {
  'another version': { v: 2 },
  'a version in a text': { v: '1' },
  'another type': { typ: 'JWT' },
  'no id': { jti: undefined },
  'a short id': { jti: 'a' },
  'an id with a line': { jti: 'licence\n0001' },
  'a long id': { jti: 'a'.repeat(65) },
  'no key': { kid: undefined },
  'a key that is a path': { kid: '../site' },
  'a key that is an address': { kid: 'https://evil.test/key' },
  'a plugin in capitals': { plugin: 'Acme.paid' },
  'a plugin in other letters': { plugin: 'аcme.paid' },
  'a plugin of another publisher': { plugin: 'other.paid' },
  'a publisher of another plugin': { pub: 'other' },
  'a host that is a name': { host: 'example.com' },
  'many hosts': { host: ['*'] },
  'neither tenants nor seats': { tenants: undefined },
  'tenants and seats': { seats: 3 },
  'no tenants': { tenants: [] },
  'tenant 0': { tenants: [0] },
  'half a tenant': { tenants: [1.5] },
  'a tenant twice': { tenants: [3, 3] },
  'too many tenants': { tenants: Array.from({ length: 1001 }, (_, index) => index + 1) },
  'no seats': { tenants: undefined, seats: 0 },
  'negative seats': { tenants: undefined, seats: -1 },
  'too many seats': { tenants: undefined, seats: 1e9 },
  'no features': { features: undefined },
  'a feature twice': { features: ['a', 'a'] },
  'a feature that is a prototype': { features: ['__proto__'] },
  'a feature in a text': { features: 'export' },
  'too many features': { features: Array.from({ length: 101 }, (_, index) => `f${index}`) },
  'a negative beginning': { nbf: -1 },
  'half a second': { nbf: 0.5 },
  'an end before the beginning': { exp: 1 },
  'an end at the beginning': { nbf: 5, exp: 5 },
  'no end': { exp: undefined },
  'an end beyond all dates': { exp: 1e15 },
  'an end in a text': { exp: '2099-01-01' },
  'a negative grace': { grace: -1 },
  'a grace of years': { grace: 1000 },
  'a member more': { alg: 'none' },
  'a key in it': { jwk: { kty: 'OKP' } },
}
