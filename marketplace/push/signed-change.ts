import { randomBytes } from 'node:crypto'
import { isSignedFor, signFor } from '../index-format/ed25519.ts'
import { createFileParser } from '../index-format/file-parser.ts'
import {
  isMoment,
  isVersion,
  keyIdSchema,
  pluginNameSchema,
  rangeSchema,
  sha256Schema,
  signatureSchema,
  timeSchema,
  versionSchema,
} from '../index-format/form.ts'
import { schemaParts } from '#sandbox'
import type { SigningKey } from '../package/signature.ts'

const { matching, object, text } = schemaParts

/** What a publisher changes about what it published. */
export type Change =
  | { readonly action: 'yank'; readonly plugin: string; readonly version: string; readonly reason: string }
  | { readonly action: 'deprecate'; readonly plugin: string; readonly versions: string; readonly reason: string }
  | { readonly action: 'unpublish'; readonly plugin: string; readonly version: string }

/** A change, for one index and one moment. */
export type ChangeStatement = Change & {
  readonly format: 1
  /** The fingerprint of the index's root: what was signed for one index is worth nothing in another. */
  readonly root: string
  readonly at: string
  /** Random, so that no two statements are the same. */
  readonly nonce: string
}

/** A statement as it is sent. */
interface SignedChange {
  readonly kid: string
  /** Base64 of the very bytes that are signed. */
  readonly payload: string
  readonly sig: string
}

/** The most bytes of a signed change. */
export const changeBytes = 16_384
const domain = 'plugin-change-v1\n'

const about = {
  ...{ format: { const: 1 }, root: sha256Schema, at: timeSchema },
  nonce: matching(/^[A-Za-z0-9_-]{22}$/, 22),
  plugin: pluginNameSchema,
}
const form = (action: Change['action'], more: Readonly<Record<string, schemaParts.Schema>>) => {
  const members = { ...about, ...more, action: { const: action } }
  return object(members, Object.keys(members))
}

/** Reads what is sent; throws IndexInvalidError. */
export const parseSignedChange = createFileParser<SignedChange>({
  file: 'the change',
  maxBytes: changeBytes,
  maxDepth: 2,
  schema: object({ kid: keyIdSchema, payload: matching(/^[A-Za-z0-9+/]+={0,2}$/, changeBytes), sig: signatureSchema }, [
    'kid',
    'payload',
    'sig',
  ]),
})

/** Reads the payload; throws IndexInvalidError. */
export const parseChange = createFileParser<ChangeStatement>({
  file: 'the change',
  maxBytes: changeBytes,
  maxDepth: 2,
  schema: {
    anyOf: [
      form('yank', { version: versionSchema, reason: text(500) }),
      form('deprecate', { versions: rangeSchema, reason: text(500) }),
      form('unpublish', { version: versionSchema }),
    ],
  },
  findProblem(change) {
    if (!isMoment(change.at)) return 'it was made at no moment'
    return 'version' in change && !isVersion(change.version) ? 'it names no version' : undefined
  },
})

/** Signs a change for an index, now. */
export function signChange(change: Change, root: string, key: SigningKey): SignedChange {
  const nonce = randomBytes(16).toString('base64url')
  const statement: ChangeStatement = { format: 1, root, at: new Date().toISOString(), nonce, ...change }
  const payload = Buffer.from(JSON.stringify(statement))
  return { kid: key.kid, payload: payload.toString('base64'), sig: signFor(domain, payload, key) }
}

/** Whether a key signed these bytes of a change. */
export function isChangeSignedBy(publicKey: string, payload: Buffer, sig: string): boolean {
  return isSignedFor(domain, payload, publicKey, sig)
}
