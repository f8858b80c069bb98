import type { SigningKey } from '../package/signature.ts'
import { signFor } from './ed25519.ts'
import { parsePublishersFile, type PublishersFile } from './publishers-file.ts'
import { parsePublishersSignature, type KeySignature } from './root-file.ts'
import type { TrustedRoot } from './root.ts'
import { findSigners, toFile, untrusted } from './sign-index.ts'

/** A root, and what it is pinned by. */
type SigningRoot = Pick<TrustedRoot, 'root' | 'fingerprint'>

const file = 'publishers.json'

/** Which keys of a root signed these bytes of publishers.json. */
export function findPublishersSigners(bytes: Buffer, signature: Buffer, { root, fingerprint }: SigningRoot) {
  return findSigners(domainOf(fingerprint), bytes, parsePublishersSignature(signature).signatures, root)
}

/** The bytes of publishers.json.sig with the signatures of more keys; what does not count is left out. */
export function signPublishers(
  bytes: Buffer,
  before: Buffer | undefined,
  keys: readonly SigningKey[],
  trusted: SigningRoot,
): Buffer {
  const domain = domainOf(trusted.fingerprint)
  const given = before ? parsePublishersSignature(before).signatures : []
  const isNew = ({ kid }: KeySignature): boolean => keys.every((key) => key.kid !== kid)
  const kept = given.filter((each) => isNew(each) && findSigners(domain, bytes, [each], trusted.root).length > 0)
  const added = keys.map((key): KeySignature => ({ kid: key.kid, sig: signFor(domain, bytes, key) }))
  return toFile({ signatures: [...kept, ...added] })
}

/** Throws IndexUntrustedError unless as many keys of the root as it asks for signed these bytes of publishers.json; without such a rule, never. */
export function verifyPublishers(
  bytes: Buffer | undefined,
  signature: Buffer | undefined,
  trusted: SigningRoot,
): PublishersFile | undefined {
  const needed = trusted.root.keysThreshold
  if (needed === undefined) return undefined
  // A list that is left out would let an older one follow.
  if (!bytes) throw untrusted(file, 'missing', 'it is not there, and root.json says who must sign it')
  if (!signature)
    throw untrusted(file, 'publishers_signature', `${needed} keys of root.json must sign it, and none did`)
  const found = findPublishersSigners(bytes, signature, trusted)
  if (found.length < needed)
    throw untrusted(file, 'publishers_signature', `${found.length} of the ${needed} keys that must sign it did`)
  const publishers = parsePublishersFile(bytes)
  if (publishers.serial === undefined) throw untrusted(file, 'publishers_serial', 'it has no serial')
  return publishers
}

/** A signature is for one root: what was signed before a rotation is worth nothing after it, wherever it is shown. */
function domainOf(fingerprint: string): string {
  return `plugin-publishers-v1\n${fingerprint}\n`
}
