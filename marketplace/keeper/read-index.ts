import { resolve } from 'node:path'
import { indexLimits } from '../index-format/index-limits.ts'
import { untrusted } from '../index-format/sign-index.ts'
import type { StoredFile, StoredFileName } from '../index-client/stored-snapshot.ts'
import { sideFilesOf, verifyHead, verifySideFiles } from '../index-client/verify-snapshot.ts'
import { fetchFile } from './fetch-file.ts'
import { readPart, sha256Of } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'

/** A file of an index: by its path, or by an address of its own. */
export interface WantedFile {
  readonly path: string
  readonly address?: string
  readonly sha256: string
  readonly most: number
}

/** Reads a file of an index, wherever that is; undefined where it has none. */
type IndexReader = (path: string, most: number, address?: string) => Promise<Buffer | undefined>

const headFiles = ['root.json', 'root.json.sig', 'index.json', 'index.json.sig'] as const

/** Reads an index by its address, or from its folder. */
export function createIndexReader(from: string, headers: Readonly<Record<string, string>> = {}): IndexReader {
  if (!/^https?:\/\//.test(from)) {
    const folder = resolve(from.replace(/^file:\/\//, ''))
    return (path, most, address) => (address === undefined ? readPart(folder, path) : fetchFile(address, { most }))
  }
  const base = new URL(from.endsWith('/') ? from : `${from}/`)
  return (path, most, address) =>
    address === undefined ? fetchFile(new URL(path, base).href, { most, headers }) : fetchFile(address, { most })
}

/** What an index lists, verified by its root; throws where that is another than the one that is pinned. */
export async function readSnapshot(read: IndexReader, pinned: string | undefined) {
  const files: Partial<Record<StoredFileName, StoredFile>> = {}
  const take = async (name: StoredFileName, most: number): Promise<void> => {
    const bytes = await read(name, most)
    if (bytes) files[name] = { bytes }
  }
  for (const name of headFiles) await take(name, indexLimits.indexBytes)
  if (!files['index.json']) throw new IndexRefusal('There is no index.json: that is no index, or it was not built.')
  const head = await verifyHead(files, pinned === undefined ? {} : { rootFingerprint: pinned })
  for (const name of sideFilesOf(head)) await take(name, indexLimits.publishersBytes)
  return { files, snapshot: await verifySideFiles(head, files) }
}

/** A file whose hash the index names. */
export async function readVerified(read: IndexReader, { path, address, sha256, most }: WantedFile): Promise<Buffer> {
  const bytes = await read(path, most, address)
  if (!bytes) throw untrusted(path, 'missing', 'it is not there')
  if (sha256Of(bytes) !== sha256) throw untrusted(path, 'hash', 'it is not what the index names')
  return bytes
}
