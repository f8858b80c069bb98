import { createHash } from 'node:crypto'
import { createRoot, createSigningKey, signIndex, type SignedRoot, type SigningKey } from '#marketplace'
import { parseRootFile, type KeySignature } from '../../marketplace/index-format/root-file.ts'
import { rootFingerprint } from '../../marketplace/index-format/root.ts'
import { signPublishers } from '../../marketplace/index-format/sign-publishers.ts'
import { created, createIndexContent, json, sha256, type IndexContent } from './index-content.ts'

/** The keepers of an index: one of them signs a release, two of them who may publish. */
export const keepers = ['one', 'two', 'three'].map((kid) => createSigningKey(kid)) as [
  SigningKey,
  SigningKey,
  SigningKey,
]

/** Their root. */
export const keepersRoot = createRoot({ created, keys: keepers, keysThreshold: 2 }, [keepers[0]])

/** A list of publishers with a key for each name. */
export function publishersOf(serial: number | undefined, ...kids: readonly string[]): Buffer {
  const publicKey = createHash('sha256').update(kids.join()).digest('base64url')
  const keys = kids.map((kid) => [kid, { level: 'verified', keys: [{ kid, publicKey }] }] as const)
  return json({ format: 1, ...(serial === undefined ? {} : { serial }), publishers: Object.fromEntries(keys) })
}

/** The signatures of a list by some keepers, for a root. */
export function listSignatures(
  list: Buffer,
  signers: readonly SigningKey[],
  { root }: SignedRoot = keepersRoot,
): readonly KeySignature[] {
  const trusted = { root: parseRootFile(root), fingerprint: rootFingerprint(root) }
  const { signatures } = JSON.parse(signPublishers(list, undefined, signers, trusted).toString()) as {
    signatures: readonly KeySignature[]
  }
  return signatures
}

/** An index that one keeper signed, with whatever list and signatures of it. */
export function keptIndex(
  sequence: number,
  list: Buffer | undefined,
  signatures: readonly KeySignature[] | undefined,
  { root, by = keepers[0] }: { readonly root?: SignedRoot; readonly by?: SigningKey } = {},
): IndexContent {
  const files = list ? { 'publishers.json': sha256(list) } : {}
  const content = createIndexContent({ index: { sequence, files } })
  const signed = root ?? keepersRoot
  content.set('root.json', signed.root)
  content.set('root.json.sig', signed.signature)
  content.set('index.json.sig', signIndex(content.get('index.json') ?? Buffer.alloc(0), [by]))
  if (list) content.set('publishers.json', list)
  if (signatures) content.set('publishers.json.sig', json({ signatures }))
  return content
}
