import { createHash } from 'node:crypto'
import type { SigningKey } from '../package/signature.ts'
import { signFor } from './ed25519.ts'
import { indexLimits } from './index-limits.ts'
import {
  parseRootFile,
  parseRootSignature,
  type FormerRoot,
  type KeySignature,
  type RootFile,
  type RootKey,
  type RootSignature,
} from './root-file.ts'
import { countSigners, toFile, untrusted } from './sign-index.ts'

const rootDomain = 'plugin-root-v1\n'

/** The bytes of root.json and of root.json.sig. */
export interface SignedRoot {
  readonly root: Buffer
  readonly signature: Buffer
}

/** What a new root says. */
interface RootContent {
  readonly name?: string
  /** When it is made, ISO 8601. */
  readonly created: string
  readonly keys: readonly RootKey[]
  /** How many keys must sign; 1 unless said otherwise. */
  readonly threshold?: number
  /** How many must say who may publish; as many as sign the rest, and without signatures of its own, unless given. */
  readonly keysThreshold?: number
}

/** A root that was verified. */
export interface TrustedRoot {
  readonly root: RootFile
  /** Of its bytes: what a site pins. */
  readonly fingerprint: string
  /** Whether it replaced the one that was pinned. */
  readonly isRotated: boolean
}

/** What a site pins: SHA-256 of the bytes of root.json, in hex. */
export function rootFingerprint(root: Buffer): string {
  return createHash('sha256').update(root).digest('hex')
}

/** Makes the first root of an index, signed by the private halves that are given: at least as many as it asks for. */
export function createRoot(content: RootContent, signers: readonly SigningKey[]): SignedRoot {
  return writeRoot({ version: 1, ...content }, signers, [])
}

/** Replaces the root of an index. The signers are at least as many of the old root's keys as it asks for whatever it is, and as many of the new one's. */
export function rotateRoot(current: SignedRoot, content: RootContent, signers: readonly SigningKey[]): SignedRoot {
  const { root } = verifyRoot(current)
  const { signatures, previous } = parseRootSignature(current.signature)
  const former: FormerRoot = { root: current.root.toString('base64'), signatures }
  const name = content.name ?? root.name
  const rotated = writeRoot(
    { version: root.version + 1, ...content, ...(name === undefined ? {} : { name }) },
    signers,
    [...previous, former].slice(-indexLimits.formerRoots),
  )
  verifyRoot(rotated, rootFingerprint(current.root))
  return rotated
}

/**
 * Verifies a root. With a pinned fingerprint it must be that root, or one that a chain of rotations leads to from there, each signed by
 * the keys before and by its own; without one it needs its own signatures only (trust on first use). Throws IndexUntrustedError.
 */
export function verifyRoot({ root: bytes, signature: signatureBytes }: SignedRoot, pinned?: string): TrustedRoot {
  const fingerprint = rootFingerprint(bytes)
  const signature = parseRootSignature(signatureBytes)
  const chain = readChain(bytes, signature)
  const from = pinned === undefined ? chain.length - 1 : chain.findIndex((link) => link.fingerprint === pinned)
  const [first, ...rest] = from === -1 ? [] : chain.slice(from)
  if (!first) throw untrusted('root.json', 'root_unknown', 'no rotation leads to it from the root that is pinned')
  if (rest.length === 0) checkSigners(first, first.root, first.root.threshold)
  let last = first
  for (const next of rest) {
    if (next.root.version !== last.root.version + 1)
      throw untrusted('root.json', 'root_version', 'the versions of its rotations do not follow each other')
    // Who may publish could be changed by changing who says so.
    checkSigners(next, last.root, Math.max(last.root.threshold, last.root.keysThreshold ?? 0))
    checkSigners(next, next.root, next.root.threshold)
    last = next
  }
  return { root: last.root, fingerprint, isRotated: rest.length > 0 }
}

interface Link {
  readonly bytes: Buffer
  readonly fingerprint: string
  readonly root: RootFile
  readonly signatures: readonly KeySignature[]
}

function readChain(bytes: Buffer, { signatures, previous }: RootSignature): readonly Link[] {
  const former = previous.map(({ root, signatures }) => ({ bytes: Buffer.from(root, 'base64'), signatures }))
  return [...former, { bytes, signatures }].map((link) => ({
    ...link,
    fingerprint: rootFingerprint(link.bytes),
    root: parseRootFile(link.bytes),
  }))
}

function checkSigners({ bytes, signatures }: Link, by: RootFile, needed: number): void {
  const found = countSigners(rootDomain, bytes, signatures, by)
  if (found < needed)
    throw untrusted('root.json', 'root_signature', `${found} of ${needed} keys of version ${by.version} signed it`)
}

function writeRoot(
  { name, version, created, keys, threshold = 1, keysThreshold }: RootContent & { readonly version: number },
  signers: readonly SigningKey[],
  previous: readonly FormerRoot[],
): SignedRoot {
  const named = keys.map(({ kid, publicKey }) => ({ kid, publicKey }))
  const content = {
    ...{ format: 1, version },
    ...(name === undefined ? {} : { name }),
    ...{ created, threshold },
    ...(keysThreshold === undefined ? {} : { keysThreshold }),
    keys: named,
  }
  const root = toFile(content)
  const signatures = signers.map((key) => ({ kid: key.kid, sig: signFor(rootDomain, root, key) }))
  const signed = { root, signature: toFile({ signatures, previous }) }
  verifyRoot(signed)
  return signed
}
