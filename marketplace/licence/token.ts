import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { parseStrictJson } from '../package/strict-json.ts'
import type { SigningKey } from '../package/signature.ts'
import { LicenseInvalidError } from './errors.ts'
import { isLicence, licenceLimits, type Licence } from './licence.ts'

/** What is signed begins with this, so that no signature made for anything else is one of a licence. */
const domain = Buffer.from('plugin-license-v1\n')
const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/
/** The object and the list of tenants or features in it. */
const depth = 2

/** Finds the public half of a publisher's key: Ed25519, base64url of 32 bytes. Undefined for one that is not believed. */
type FindLicenceKey = (licence: Licence) => Promise<string | undefined>

/** Makes the token of a licence: `base64url(payload).base64url(signature)`; throws 400/4002 for what is no licence. */
export function signLicence(licence: Licence, { kid, publicKey, privateKey }: SigningKey): string {
  if (!isLicence(licence)) throw refused('form', 'it says something else than a licence')
  if (licence.kid !== kid) throw refused('key', 'it names another key')
  const payload = Buffer.from(JSON.stringify(licence))
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: privateKey }
  const sig = sign(null, Buffer.concat([domain, payload]), createPrivateKey({ key: jwk, format: 'jwk' }))
  return `${payload.toString('base64url')}.${sig.toString('base64url')}`
}

/** Reads a token without believing it; throws 400/4002 (rule `form`) for anything but the one spelling of a licence. */
export function readLicence(token: string): Licence {
  return takeApart(token).licence
}

/** The licence in a token that was signed with a key that is believed; throws 400/4002 naming the rule it breaks. */
export async function verifyLicence(token: string, findKey: FindLicenceKey): Promise<Licence> {
  const { payload, sig, licence } = takeApart(token)
  const publicKey = await findKey(licence)
  if (publicKey === undefined) throw refused('key', `no key ${licence.kid} is accepted for it`)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  if (!verify(null, Buffer.concat([domain, payload]), key, sig)) throw refused('signature', 'it does not verify')
  return licence
}

function takeApart(token: string): { readonly payload: Buffer; readonly sig: Buffer; readonly licence: Licence } {
  const [, head, tail] = (token.length <= licenceLimits.tokenLength && form.exec(token)) || []
  const payload = head === undefined ? undefined : decode(head)
  const sig = tail === undefined ? undefined : decode(tail)
  const licence = payload && parseStrictJson(payload, depth)
  if (!payload || !sig || !isLicence(licence)) throw refused('form', 'it has another form')
  return { payload, sig, licence }
}

/** The bytes of base64url in its one spelling. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

function refused(rule: string, problem: string): Error {
  return new LicenseInvalidError({ problem }, { details: { rule } })
}
