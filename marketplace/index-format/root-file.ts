import { schemaParts } from '#sandbox'
import { isWeakKey } from '../package/weak-keys.ts'
import { createFileParser } from './file-parser.ts'
import { isMoment, keyIdSchema, publicKeySchema, signatureSchema, timeSchema } from './form.ts'
import { indexLimits } from './index-limits.ts'

const { list, matching, object, text, whole } = schemaParts

/** A key that signs an index. */
export interface RootKey {
  readonly kid: string
  readonly publicKey: string
}

/** root.json: whose signatures make an index. */
export interface RootFile {
  readonly format: 1
  /** 1 at first, one more with every rotation. */
  readonly version: number
  /** What the index calls itself. */
  readonly name?: string
  readonly created: string
  /** How many of the keys must sign index.json, and the next root.json. */
  readonly threshold: number
  /** How many of them must sign publishers.json, and the next root.json: who may publish is not for one person to say. */
  readonly keysThreshold?: number
  readonly keys: readonly RootKey[]
}

/** One signature by one key. */
export interface KeySignature {
  readonly kid: string
  /** Base64 of 64 bytes. */
  readonly sig: string
}

/** index.json.sig, whatever form it was written in. */
export interface IndexSignature {
  readonly signatures: readonly KeySignature[]
}

/** A root.json that another one replaced, as it was published. */
export interface FormerRoot extends IndexSignature {
  /** Base64 of its bytes. */
  readonly root: string
}

/** root.json.sig: the signatures of root.json, and the roots before it, oldest first. */
export interface RootSignature extends IndexSignature {
  readonly previous: readonly FormerRoot[]
}

const keySignature = object({ kid: keyIdSchema, sig: signatureSchema }, ['kid', 'sig'])
const signatures = list(keySignature, 2 * indexLimits.keys, 1)
const base64 = matching(/^[A-Za-z0-9+/]+={0,2}$/, 2 * indexLimits.rootBytes)

/** Reads root.json; throws IndexInvalidError. */
export const parseRootFile = createFileParser<RootFile>({
  file: 'root.json',
  maxBytes: indexLimits.rootBytes,
  maxDepth: 4,
  schema: object(
    {
      format: { const: 1 },
      version: whole(1, 1_000_000),
      name: text(100),
      created: timeSchema,
      threshold: whole(1, indexLimits.keys),
      keysThreshold: whole(1, indexLimits.keys),
      keys: list(object({ kid: keyIdSchema, publicKey: publicKeySchema }, ['kid', 'publicKey']), indexLimits.keys, 1),
    },
    ['format', 'version', 'created', 'threshold', 'keys'],
  ),
  findProblem({ created, threshold, keysThreshold = threshold, keys }) {
    if (!isMoment(created)) return 'created is no moment'
    const isDistinct = (values: readonly string[]) => new Set(values).size === values.length
    if (!isDistinct(keys.map(({ kid }) => kid))) return 'two keys have one id'
    if (!isDistinct(keys.map(({ publicKey }) => publicKey))) return 'one key has two ids'
    if (!keys.every(({ publicKey }) => isOneKey(publicKey))) return 'a key is none, or is written in a way of its own'
    if (keysThreshold < threshold) return 'it asks less for publishers.json than for index.json'
    return keysThreshold > keys.length ? 'it asks for more signatures than it has keys' : undefined
  },
})

/** Whether a text is the one spelling of a key that signs one text at a time: else one person could be counted twice, or anybody for it. */
function isOneKey(publicKey: string): boolean {
  return Buffer.from(publicKey, 'base64url').toString('base64url') === publicKey && !isWeakKey(publicKey)
}

const parseIndexSignatureForms = createFileParser<KeySignature | IndexSignature>({
  file: 'index.json.sig',
  maxBytes: indexLimits.rootBytes,
  maxDepth: 4,
  schema: { anyOf: [keySignature, object({ signatures }, ['signatures'])] },
})

/** Reads index.json.sig: `{kid, sig}`, or `{signatures: […]}` where several keys sign. Throws IndexInvalidError. */
export function parseIndexSignature(bytes: Buffer): IndexSignature {
  const file = parseIndexSignatureForms(bytes)
  return 'signatures' in file ? file : { signatures: [file] }
}

/** Reads publishers.json.sig; throws IndexInvalidError. */
export const parsePublishersSignature = createFileParser<IndexSignature>({
  file: 'publishers.json.sig',
  maxBytes: indexLimits.rootBytes,
  maxDepth: 4,
  schema: object({ signatures }, ['signatures']),
})

/** Reads root.json.sig; throws IndexInvalidError. */
export const parseRootSignature = createFileParser<RootSignature>({
  file: 'root.json.sig',
  maxBytes: indexLimits.signatureBytes,
  maxDepth: 6,
  schema: object(
    {
      signatures,
      previous: list(object({ root: base64, signatures }, ['root', 'signatures']), indexLimits.formerRoots),
    },
    ['signatures', 'previous'],
  ),
})
