import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { parsePublishersFile, type PublishersFile } from '../index-format/publishers-file.ts'
import { parseRootFile } from '../index-format/root-file.ts'
import { rootFingerprint, type TrustedRoot } from '../index-format/root.ts'
import { findPublishersSigners, signPublishers } from '../index-format/sign-publishers.ts'
import type { SigningKey } from '../package/signature.ts'
import { readPart } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

/** Who may publish, where several people say so: a changed list waits beside the one that is in force, so that releases go on meanwhile. */
const files = {
  inForce: { list: 'publishers.json', signature: 'publishers.json.sig' },
  waiting: { list: 'publishers.next.json', signature: 'publishers.next.json.sig' },
} as const

type SigningRoot = Pick<TrustedRoot, 'root' | 'fingerprint'>

/** A list of publishers, and how far it is signed. */
export interface SignedList {
  /** Which of the files it is. */
  readonly file: 'publishers.json' | 'publishers.next.json'
  readonly bytes: Buffer
  readonly list: PublishersFile
  readonly signature: Buffer | undefined
  /** The ids of the keys that signed it. */
  readonly signed: readonly string[]
  /** How many more must sign. */
  readonly missing: number
}

/** The list that is in force, and one that waits to be. */
interface PublishersLists {
  readonly inForce: SignedList | undefined
  readonly waiting: SignedList | undefined
}

/** The root of an index whose publishers several people must sign; what it is signed with is not looked at. */
export async function findSigningRoot(directory: string): Promise<SigningRoot | undefined> {
  const bytes = await readPart(directory, 'root.json')
  const root = bytes && parseRootFile(bytes)
  return root?.keysThreshold === undefined || !bytes ? undefined : { root, fingerprint: rootFingerprint(bytes) }
}

/** Reads both lists. A waiting one that was made before the list in force stands in nobody's way: it is none. */
export async function readPublishersLists(directory: string, root: SigningRoot): Promise<PublishersLists> {
  const [inForce, next] = [
    await readList(directory, files.inForce, root),
    await readList(directory, files.waiting, root),
  ]
  const isNew =
    (next?.list.serial ?? 0) > (inForce?.list.serial ?? 0) || (inForce && next?.bytes.equals(inForce.bytes)) === true
  return { inForce, waiting: isNew ? next : undefined }
}

/** The list that an index is built with: the waiting one once enough signed it. Throws an IndexRefusal when enough signed neither. */
export async function choosePublishers(directory: string, root: SigningRoot): Promise<SignedList> {
  const { inForce, waiting } = await readPublishersLists(directory, root)
  if (waiting?.missing === 0) return waiting
  if (inForce?.missing === 0) return inForce
  const problem = inForce ? describeSigners(inForce) : 'it is not there'
  throw new IndexRefusal(`publishers.json cannot be built into the index: ${problem}. stoa index sign-keys signs it.`)
}

/** Puts the list that was chosen in force. */
export async function putInForce(directory: string, { file, bytes, signature }: SignedList): Promise<void> {
  const { inForce, waiting } = files
  if (file !== waiting.list || !signature) return
  // In this order: what ends in between is chosen and written again by the next build.
  await writeAtomic(join(directory, inForce.list), bytes)
  await writeAtomic(join(directory, inForce.signature), signature)
  await rm(join(directory, waiting.list), { force: true })
  await rm(join(directory, waiting.signature), { force: true })
}

/** The list that enough people signed, to compare another with; what one of them wrote into the file alone is none, and then it is empty. */
export async function readSignedPublishers(directory: string, root: SigningRoot): Promise<PublishersFile> {
  const { inForce } = await readPublishersLists(directory, root)
  return inForce?.missing === 0 ? inForce.list : { format: 1, publishers: {} }
}

/** Lets a changed list wait for its signatures; those of what waited before are gone. */
export async function proposePublishers(directory: string, publishers: PublishersFile['publishers']): Promise<void> {
  const { inForce, waiting } = files
  const bytes = await readPart(directory, inForce.list)
  const serial = ((bytes && parsePublishersFile(bytes).serial) ?? 0) + 1
  const proposed = toStableJson({ format: 1, serial, publishers })
  parsePublishersFile(proposed)
  await rm(join(directory, waiting.signature), { force: true })
  await writeAtomic(join(directory, waiting.list), proposed)
}

/**
 * The list that is to be signed: the one that waits, or the one in force where none does. Throws an IndexRefusal where the two are not one after the other: a
 * former list in the place of the one in force would hide what came and left since.
 */
export async function findListToSign(directory: string, root: SigningRoot): Promise<SignedList> {
  const { inForce, waiting } = await readPublishersLists(directory, root)
  const next = await readList(directory, files.waiting, root)
  const [now = 0, then] = [inForce?.list.serial, next?.list.serial]
  if (next && !waiting)
    throw new IndexRefusal(
      `${next.file} is list ${then ?? 'without a serial'}, and list ${now} is in force: it is a former one, or was made before that. Take it away, or make the change again.`,
    )
  if (waiting && inForce?.missing === 0 && (then ?? 0) > now + 1)
    throw new IndexRefusal(
      `${waiting.file} is list ${then}, and ${inForce.file} list ${now}: lists between them are missing, and a former one may have been put back. Take both from where the index is served.`,
    )
  const chosen = waiting ?? inForce
  if (!chosen) throw new IndexRefusal(`${directory} is no index: there is no publishers.json.`)
  if (chosen.list.serial === undefined) throw new IndexRefusal(`${chosen.file} has no serial: give it the next one.`)
  return chosen
}

/** Adds signatures to the list that is to be signed. */
export async function signPublishersList(
  directory: string,
  keys: readonly SigningKey[],
  root: SigningRoot,
): Promise<SignedList> {
  requireKeysOf(root, keys)
  return signList(directory, await findListToSign(directory, root), keys, root)
}

/** Throws an IndexRefusal for a key that is not of the root. */
export function requireKeysOf(root: SigningRoot, keys: readonly SigningKey[]): void {
  for (const { kid, publicKey } of keys)
    if (!root.root.keys.some((each) => each.kid === kid && each.publicKey === publicKey))
      throw new IndexRefusal(`${kid} is no key of root.json.`)
}

/** Adds signatures to exactly these bytes, which somebody has looked at. */
export async function signList(
  directory: string,
  chosen: SignedList,
  keys: readonly SigningKey[],
  root: SigningRoot,
): Promise<SignedList> {
  const names = chosen.file === files.waiting.list ? files.waiting : files.inForce
  await writeAtomic(join(directory, names.signature), signPublishers(chosen.bytes, chosen.signature, keys, root))
  const signed = await readList(directory, names, root)
  if (!signed) throw new IndexRefusal(`${names.list} is gone.`)
  return signed
}

/**
 * Signs the list in force for a new root: for the one before it was signed in vain. Where none was signed before it gets the next serial, for it may
 * have changed since the last one that was; otherwise not a byte changes, as clients refuse two lists of one serial.
 */
export async function signInForceAnew(
  directory: string,
  keys: readonly SigningKey[],
  root: SigningRoot,
  wasSigned: boolean,
): Promise<void> {
  const { list, signature } = files.inForce
  const given = (await readPart(directory, list)) ?? Buffer.alloc(0)
  const publishers = parsePublishersFile(given)
  const bytes = wasSigned ? given : toStableJson({ ...publishers, serial: (publishers.serial ?? 0) + 1 })
  if (!wasSigned) await writeAtomic(join(directory, list), bytes)
  await writeAtomic(join(directory, signature), signPublishers(bytes, undefined, keys, root))
}

/** Who signed a list and how many are missing, in a few words. */
export function describeSigners({ signed, missing }: Pick<SignedList, 'signed' | 'missing'>): string {
  const who = signed.length === 0 ? 'nobody signed it' : `${signed.join(', ')} signed it`
  return missing === 0 ? who : `${who}, and ${missing} more must`
}

async function readList(
  directory: string,
  { list, signature: path }: (typeof files)['inForce' | 'waiting'],
  root: SigningRoot,
): Promise<SignedList | undefined> {
  const bytes = await readPart(directory, list)
  if (!bytes) return undefined
  const signature = await readPart(directory, path)
  const signed = signature ? findPublishersSigners(bytes, signature, root) : []
  const missing = Math.max(0, (root.root.keysThreshold ?? 0) - signed.length)
  return { file: list, bytes, list: parsePublishersFile(bytes), signature, signed, missing }
}
