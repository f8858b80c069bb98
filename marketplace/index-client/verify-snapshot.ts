import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { parseCategoriesFile, type CategoriesFile } from '../index-format/categories-file.ts'
import type { FileParser } from '../index-format/file-parser.ts'
import { indexSideFiles, parseIndexFile, type IndexFile } from '../index-format/index-file.ts'
import { parsePublishersFile, type PublishersFile } from '../index-format/publishers-file.ts'
import { parseRatingsFile, type RatingsFile } from '../index-format/ratings-file.ts'
import { parseRevocationsFile, type RevocationsFile } from '../index-format/revocations-file.ts'
import { parseIndexSignature } from '../index-format/root-file.ts'
import { verifyRoot, type TrustedRoot } from '../index-format/root.ts'
import { untrusted, verifyIndex } from '../index-format/sign-index.ts'
import { verifyPublishers } from '../index-format/sign-publishers.ts'
import type { IndexSourceOptions } from './index-source.ts'
import type { StoredFileName, StoredSnapshot } from './stored-snapshot.ts'

/** The files of a snapshot, by name. */
type SnapshotFiles = StoredSnapshot['files']

/** What a source is pinned to. */
export type Pin = Pick<IndexSourceOptions, 'rootFingerprint' | 'unsigned'>

/** index.json, with whose word it is. */
export interface VerifiedHead {
  /** Nothing for an index without a root. */
  readonly root: TrustedRoot | undefined
  readonly index: IndexFile
  /** SHA-256 of index.json. */
  readonly indexHash: string
}

/** A whole snapshot whose every file is what the root's keys signed. */
export interface VerifiedSnapshot extends VerifiedHead {
  readonly publishers: PublishersFile
  readonly revocations: RevocationsFile
  readonly categories: CategoriesFile
  readonly ratings: RatingsFile
}

/** SHA-256 in hex. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Verifies the root and the index it signs, in slices where it is large. Throws IndexUntrustedError or IndexInvalidError. */
export async function verifyHead(
  files: SnapshotFiles,
  { rootFingerprint, unsigned = false }: Pin,
): Promise<VerifiedHead> {
  const bytes = getFile(files, 'index.json')
  const indexHash = sha256Of(bytes)
  if (unsigned) return { root: undefined, index: await parseIndexFile.inSlices(bytes), indexHash }
  const signed = { root: getFile(files, 'root.json'), signature: getFile(files, 'root.json.sig') }
  const root = verifyRoot(signed, rootFingerprint)
  // Nobody reads what was not signed.
  verifyIndex(bytes, parseIndexSignature(getFile(files, 'index.json.sig')), root.root)
  await turn()
  return { root, index: await parseIndexFile.inSlices(bytes), indexHash }
}

/** The files beside index.json that its snapshot has: those it names, and the signatures of publishers.json where the root asks for them. */
export function sideFilesOf({ index, root }: VerifiedHead): readonly StoredFileName[] {
  const named = indexSideFiles.filter((name) => index.files[name] !== undefined)
  return root?.root.keysThreshold === undefined ? named : [...named, 'publishers.json.sig']
}

/** Verifies the files beside index.json by the hashes in it, and publishers.json by signatures of its own where the root asks for them, in slices where they are large. Throws IndexUntrustedError or IndexInvalidError. */
export async function verifySideFiles(head: VerifiedHead, files: SnapshotFiles): Promise<VerifiedSnapshot> {
  const side = new Map(
    indexSideFiles.flatMap((name) => {
      const expected = head.index.files[name]
      if (expected === undefined) return []
      const bytes = getFile(files, name)
      if (sha256Of(bytes) !== expected) throw untrusted(name, 'hash', 'it is not the one index.json names')
      return [[name, bytes] as const]
    }),
  )
  if (head.root) verifyPublishers(side.get('publishers.json'), files['publishers.json.sig']?.bytes, head.root)
  await turn()
  const read = async <T>(name: (typeof indexSideFiles)[number], parse: FileParser<T>, none: T): Promise<T> => {
    const bytes = side.get(name)
    return bytes ? parse.inSlices(bytes) : none
  }
  return {
    ...head,
    publishers: await read('publishers.json', parsePublishersFile, { format: 1, publishers: {} }),
    revocations: await read('revocations.json', parseRevocationsFile, {
      format: 1,
      plugins: [],
      keys: [],
      licenses: [],
    }),
    categories: await read('categories.json', parseCategoriesFile, { format: 1, categories: [] }),
    ratings: await read('ratings.json', parseRatingsFile, { format: 1, ratings: {} }),
  }
}

function getFile(files: SnapshotFiles, name: StoredFileName): Buffer {
  const file = files[name]
  if (!file) throw untrusted(name, 'missing', 'it is not there')
  return file.bytes
}
