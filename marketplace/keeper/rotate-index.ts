import { join } from 'node:path'
import { rootFingerprint, rotateRoot } from '../index-format/root.ts'
import type { RootKey } from '../index-format/root-file.ts'
import type { SigningKey } from '../package/signature.ts'
import { buildIndex } from './build-index.ts'
import { readPart } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { choosePublishers, findSigningRoot, putInForce, signInForceAnew } from './publishers-list.ts'
import { writeAtomic } from './write-atomic.ts'

/** How the keys of an index are replaced. */
interface RotateOptions {
  /** The new keys; signatures of as many as `threshold` are asked for. */
  readonly keys: readonly RootKey[]
  readonly threshold: number
  /** How many must say who may publish; what it was unless given, and 0 ends the rule. */
  readonly keysThreshold?: number
  /** Private halves of the old keys and of the new ones, as many as each root asks for. */
  readonly signers: readonly SigningKey[]
  readonly expiresDays: number
  /** Now unless given. */
  readonly created?: Date
}

/** Replaces root.json, signed by its old keys and its new ones so that sites follow, and builds the index anew. Answers the new fingerprint. */
export async function rotateIndex(
  directory: string,
  { keys, threshold, keysThreshold, signers, expiresDays, created = new Date() }: RotateOptions,
): Promise<string> {
  const [root, signature] = [await readPart(directory, 'root.json'), await readPart(directory, 'root.json.sig')]
  if (!root || !signature)
    throw new IndexRefusal(`${directory} has no root.json that is signed: stoa index init makes one.`)
  const before = await findSigningRoot(directory)
  // Who replaces the keys signs the list anew: nothing that others had not signed before comes into force by it.
  const list = before && (await choosePublishers(directory, before))
  const asked = keysThreshold ?? before?.root.keysThreshold ?? 0
  const content = { created: created.toISOString(), keys, threshold, ...(asked > 0 && { keysThreshold: asked }) }
  const rotated = rotateRoot({ root, signature }, content, signers)
  if (list) await putInForce(directory, list)
  await writeAtomic(join(directory, 'root.json'), rotated.root)
  await writeAtomic(join(directory, 'root.json.sig'), rotated.signature)
  const kids = new Set(keys.map(({ kid }) => kid))
  const own = signers.filter(({ kid }) => kids.has(kid))
  const after = await findSigningRoot(directory)
  if (after) await signInForceAnew(directory, own, after, before !== undefined)
  await buildIndex(directory, { keys: own, expiresDays, generated: created })
  return rootFingerprint(rotated.root)
}
