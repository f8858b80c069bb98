import { createPrivateKey, createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Environment } from '#kernel'

/** How access tokens are signed. */
type TokenAlgorithm = Environment['jwtAlgorithm']

interface KeyPair {
  readonly signing: KeyObject
  readonly verifying: KeyObject
}

// What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The keys of access tokens: the first signs, all verify. A key is found by its name alone, never by what a token says of it. */
export class KeyRing {
  readonly algorithm: TokenAlgorithm
  readonly signingName: string
  readonly #keys: ReadonlyMap<string, KeyPair>

  constructor(ring: ReadonlyMap<string, string>, algorithm: TokenAlgorithm) {
    this.algorithm = algorithm
    this.signingName = [...ring.keys()][0] ?? ''
    const compile = algorithm === 'EdDSA' ? readKeyPair : readSecret
    this.#keys = new Map([...ring].map(([name, text]) => [name, compile(text)]))
  }

  /** The key that signs. */
  get signingKey(): KeyObject | undefined {
    return this.#keys.get(this.signingName)?.signing
  }

  /** The key that verifies what the key of this name signed. */
  findVerifyingKey(name: string | undefined): KeyObject | undefined {
    return this.#keys.get(name ?? '')?.verifying
  }

  /** What outsiders verify with (RFC 7517); nothing where the only verifier is the platform itself. */
  publicKeys(): readonly JsonWebKey[] {
    if (this.algorithm !== 'EdDSA') return []
    return [...this.#keys].map(([kid, { verifying }]) => {
      return { ...verifying.export({ format: 'jwk' }), kid, use: 'sig', alg: this.algorithm }
    })
  }
}

function readSecret(text: string): KeyPair {
  const key = createSecretKey(Buffer.from(text))
  return { signing: key, verifying: key }
}

/** From the 32 bytes of the private key, or from its PKCS #8 form, whose last 32 bytes they are. */
function readKeyPair(text: string): KeyPair {
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(text, 'base64url').subarray(-32)])
  const signing = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { signing, verifying: createPublicKey(signing) }
}
