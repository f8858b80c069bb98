import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { Ajv } from 'ajv'
import { PackageSignatureError } from '../errors.ts'
import { checkStatement, createStatement, parseStatement } from './statement.ts'
import type { Described, Statement, StatementExtras } from './statement.ts'
import { parseStrictJson } from './strict-json.ts'
import { isWeakKey } from './weak-keys.ts'
import type { TrustLevel } from './trust-levels.ts'

/** META/signature.json, and the form in which a countersignature is kept. */
export interface PackageSignature {
  readonly alg: 'ed25519'
  readonly kid: string
  /** The statement, as base64 of the very bytes that are signed. */
  readonly payload: string
  readonly sig: string
}

/** A key pair that signs packages: Ed25519, both halves as base64url of 32 bytes. */
export interface SigningKey {
  readonly kid: string
  readonly publicKey: string
  readonly privateKey: string
}

/** A public key that this site knows. */
export interface TrustedKey {
  readonly kid: string
  readonly publicKey: string
  /** The publisher it may sign for; the site's own key signs for every one. */
  readonly publisher: string | undefined
  readonly level: Exclude<TrustLevel, 'unsigned'>
}

/** Where keys are looked up; a package never brings its own. */
export interface TrustStore {
  findKey(kid: string): Promise<TrustedKey | undefined>
}

/** What a package's signature is worth here. */
interface Trust {
  readonly level: TrustLevel
  readonly kid: string | undefined
}

const domain = Buffer.from('plugin-statement-v1\n')
const base64 = { type: 'string', pattern: '^[A-Za-z0-9+/]+={0,2}$' }
// A schema of ours: to hold it against the meta-schema would make every start wait longer than compiling it.
const isSignature = new Ajv({ validateSchema: false }).compile<PackageSignature>({
  type: 'object',
  additionalProperties: false,
  required: ['alg', 'kid', 'payload', 'sig'],
  properties: {
    alg: { const: 'ed25519' },
    kid: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    payload: base64,
    sig: { ...base64, maxLength: 88 },
  },
})

/** The public half that belongs to a private one. */
export function publicHalfOf(privateKey: string): string {
  // The form asks for a public half, and does not look at it.
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: privateKey, d: privateKey }
  return createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' })).export({ format: 'jwk' }).x ?? ''
}

/** Makes a key pair under an id such as `acme-2026a`. */
export function createSigningKey(kid: string): SigningKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { kid, publicKey: x, privateKey: d }
}

/**
 * Signs a package: with the publisher's key when it is packed, with the site's own key when it is admitted here. Only the
 * site's signature says how far the package is trusted; a publisher's that does so is refused.
 */
export function signPackage(described: Described, key: SigningKey, extras: StatementExtras = {}): PackageSignature {
  const payload = Buffer.from(JSON.stringify(createStatement(described, extras)))
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d: key.privateKey }
  const sig = sign(null, Buffer.concat([domain, payload]), createPrivateKey({ key: jwk, format: 'jwk' }))
  return { alg: 'ed25519', kid: key.kid, payload: payload.toString('base64'), sig: sig.toString('base64') }
}

/** Reads META/signature.json; what it claims is worth nothing before `verifyPackage`. */
export function parseSignature(file: Buffer): PackageSignature {
  const signature = parseStrictJson(file, 2)
  if (!isSignature(signature) || !isExact(signature.payload) || !isExact(signature.sig))
    throw refused('form', 'META/signature.json has another form')
  return signature
}

/** Verifies a package's signature against the keys this site knows. Without a signature it is unsigned; a signature that is there must hold. */
export async function verifyPackage(
  described: Described & { readonly signature: PackageSignature | undefined },
  trust: TrustStore,
): Promise<Trust & { readonly statement: Statement | undefined }> {
  const { signature, manifest } = described
  if (!signature) return { level: 'unsigned', kid: undefined, statement: undefined }
  const { key, statement } = await openSignature(signature, trust)
  if (key.publisher !== undefined && key.publisher !== manifest.publisher)
    throw refused('publisher', `the key ${signature.kid} belongs to another publisher`)
  if (statement.trust !== undefined) throw refused('trust', 'a package does not say how far it is trusted')
  checkStatement(statement, described)
  return { level: key.level, kid: key.kid, statement }
}

/**
 * What was signed when a release was installed, and how far it is trusted: as far as the site's own signature says, or as
 * far as the key. Throws unless it was this very release.
 */
export async function verifyRelease(
  {
    name,
    version,
    treeHash,
    signature,
  }: Pick<Statement, 'name' | 'version' | 'treeHash'> & { readonly signature: unknown },
  trust: TrustStore,
): Promise<{ readonly level: TrustLevel; readonly statement: Statement }> {
  if (!isSignature(signature)) throw refused('form', 'it has another form')
  const { key, statement } = await openSignature(signature, trust)
  if (statement.name !== name || statement.version !== version || statement.treeHash !== treeHash)
    throw refused('identity', 'it was made for another release')
  if (statement.trust !== undefined && key.publisher !== undefined)
    throw refused('trust', 'only the key of this site says how far a release is trusted')
  return { level: statement.trust ?? key.level, statement }
}

/** The statement in a signature that verifies. */
async function openSignature(
  signature: PackageSignature,
  trust: TrustStore,
): Promise<{ readonly key: TrustedKey; readonly statement: Statement }> {
  const key = await trust.findKey(signature.kid)
  if (!key) throw refused('key_unknown', `no key ${signature.kid} is known here`)
  if (isWeakKey(key.publicKey)) throw refused('key_weak', `the key ${signature.kid} signs everything at once`)
  const payload = Buffer.from(signature.payload, 'base64')
  const sig = Buffer.from(signature.sig, 'base64')
  if (!verify(null, Buffer.concat([domain, payload]), publicKeyOf(key), sig))
    throw refused('signature', 'it does not verify')
  return { key, statement: parseStatement(payload) }
}

function publicKeyOf({ publicKey }: TrustedKey): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
}

function refused(rule: string, problem: string): Error {
  return new PackageSignatureError({ problem }, { details: { rule } })
}

/** Whether base64 is the one spelling of its bytes. */
function isExact(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text
}
