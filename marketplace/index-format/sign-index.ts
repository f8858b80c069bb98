import type { SigningKey } from '../package/signature.ts'
import { isSignedFor, signFor } from './ed25519.ts'
import { IndexUntrustedError } from './errors.ts'
import type { IndexSignature, KeySignature, RootFile } from './root-file.ts'

const indexDomain = 'plugin-index-v1\n'

/** The bytes of index.json.sig: signatures over the very bytes of index.json. */
export function signIndex(index: Buffer, keys: readonly SigningKey[]): Buffer {
  const signatures = keys.map((key): KeySignature => ({ kid: key.kid, sig: signFor(indexDomain, index, key) }))
  return toFile(signatures.length === 1 ? signatures[0] : { signatures })
}

/** Throws IndexUntrustedError unless as many keys of the root as it asks for signed these bytes of index.json. */
export function verifyIndex(index: Buffer, { signatures }: IndexSignature, root: RootFile): void {
  const found = countSigners(indexDomain, index, signatures, root)
  if (found < root.threshold)
    throw untrusted('index.json', 'signature', `${found} of ${root.threshold} keys of root.json signed it`)
}

/** How many different keys of a root signed these bytes. Signatures by other keys count nothing, and so does a second one by the same. */
export function countSigners(
  domain: string,
  bytes: Buffer,
  signatures: readonly KeySignature[],
  root: Pick<RootFile, 'keys'>,
): number {
  return findSigners(domain, bytes, signatures, root).length
}

/** The ids of the keys of a root that signed these bytes, each once, in the order of the root. */
export function findSigners(
  domain: string,
  bytes: Buffer,
  signatures: readonly KeySignature[],
  { keys }: Pick<RootFile, 'keys'>,
): readonly string[] {
  return keys
    .filter(({ kid, publicKey }) =>
      signatures.some((each) => each.kid === kid && isSignedFor(domain, bytes, publicKey, each.sig)),
    )
    .map(({ kid }) => kid)
}

/** The error of a file that is not what its signature or its hash says. */
export function untrusted(file: string, rule: string, problem: string): Error {
  return new IndexUntrustedError({ file, problem }, { details: { file, rule, problem } })
}

/** JSON as the files of an index are written: two spaces, a line end at the end. */
export function toFile(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}
