import { join } from 'node:path'
import { rootFingerprint, rotateRoot } from '../index-format/root.ts'
import type { RootKey } from '../index-format/root-file.ts'
import type { SigningKey } from '../package/signature.ts'
import { buildIndex } from './build-index.ts'
import { readPart } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { writeAtomic } from './write-atomic.ts'

/** How the keys of an index are replaced. */
interface RotateOptions {
  /** The new keys; signatures of as many as `threshold` are asked for. */
  readonly keys: readonly RootKey[]
  readonly threshold: number
  /** Private halves of the old keys and of the new ones, as many as each root asks for. */
  readonly signers: readonly SigningKey[]
  readonly expiresDays: number
  /** Now unless given. */
  readonly created?: Date
}

/** Replaces root.json, signed by its old keys and its new ones so that sites follow, and builds the index anew. Answers the new fingerprint. */
export async function rotateIndex(
  directory: string,
  { keys, threshold, signers, expiresDays, created = new Date() }: RotateOptions,
): Promise<string> {
  const [root, signature] = [await readPart(directory, 'root.json'), await readPart(directory, 'root.json.sig')]
  if (!root || !signature)
    throw new IndexRefusal(`${directory} has no root.json that is signed: stoa index init makes one.`)
  const rotated = rotateRoot({ root, signature }, { created: created.toISOString(), keys, threshold }, signers)
  await writeAtomic(join(directory, 'root.json'), rotated.root)
  await writeAtomic(join(directory, 'root.json.sig'), rotated.signature)
  const kids = new Set(keys.map(({ kid }) => kid))
  await buildIndex(directory, { keys: signers.filter(({ kid }) => kids.has(kid)), expiresDays, generated: created })
  return rootFingerprint(rotated.root)
}
