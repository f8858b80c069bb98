import { indexLimits } from '../index-format/index-limits.ts'
import { rootFingerprint } from '../index-format/root.ts'
import { untrusted } from '../index-format/sign-index.ts'
import { verifyPublishers } from '../index-format/sign-publishers.ts'
import type { StoredFile, StoredFileName, StoredSnapshot } from './stored-snapshot.ts'
import type { IndexTransport } from './transport.ts'
import { unavailable } from './unavailable.ts'
import {
  sha256Of,
  sideFilesOf,
  verifyHead,
  verifySideFiles,
  type Pin,
  type VerifiedHead,
  type VerifiedSnapshot,
} from './verify-snapshot.ts'

/** What is known of the snapshot that is listed. */
export interface KnownSnapshot {
  readonly sequence: number
  readonly indexHash: string
  readonly rootFingerprint: string | undefined
  readonly indexEtag: string | undefined
  readonly rootEtag: string | undefined
  /** Its publishers.json, where several people signed that. */
  readonly publishers: { readonly serial: number; readonly hash: string } | undefined
}

/** What it takes to fetch a snapshot. */
interface FetchOptions {
  /** The source's id. */
  readonly source: string
  readonly transport: IndexTransport
  readonly pin: Pin
  readonly known: KnownSnapshot | undefined
  /** The snapshot that was stored last: files that did not change are taken from it. */
  readonly loadStored: () => Promise<StoredSnapshot | undefined>
  readonly signal?: AbortSignal | undefined
}

/** A snapshot that was fetched and verified, and its files. */
interface FetchedSnapshot {
  readonly verified: VerifiedSnapshot
  readonly files: StoredSnapshot['files']
}

type Files = Partial<Record<StoredFileName, StoredFile>>

const maxBytes: Readonly<Record<StoredFileName, number>> = {
  'index.json': indexLimits.indexBytes,
  'index.json.sig': indexLimits.rootBytes,
  'root.json': indexLimits.rootBytes,
  'root.json.sig': indexLimits.signatureBytes,
  'publishers.json': indexLimits.publishersBytes,
  'publishers.json.sig': indexLimits.rootBytes,
  'revocations.json': indexLimits.revocationsBytes,
  'categories.json': indexLimits.categoriesBytes,
  'ratings.json': indexLimits.ratingsBytes,
}

/** Fetches what is new, verifies it from the root down, and refuses to go back. Nothing where nothing changed. */
export async function fetchSnapshot(options: FetchOptions): Promise<FetchedSnapshot | undefined> {
  const { known, pin } = options
  const root = pin.unsigned ? {} : await fetchRoot(options)
  const isSameRoot = known !== undefined && (pin.unsigned === true || root === undefined)
  const rootFiles = root ?? (await storedRoot(options))
  const index = await fetchFile('index.json', options, isSameRoot ? known.indexEtag : undefined)
  if (isSameRoot && (index === 'unchanged' || sha256Of(index.bytes) === known.indexHash)) return undefined
  const { files, head } = await verifyWithSignature({ ...rootFiles, 'index.json': expectRead(index) }, options)
  checkSequence(head, known)
  const sides = await fetchSideFiles(head, options)
  const whole = { ...files, ...sides }
  const verified = await verifySideFiles(head, whole)
  requireSerial(verified, known)
  return { verified, files: whole }
}

/** The root's files, or nothing where it is the one that is known. */
async function fetchRoot(options: FetchOptions): Promise<Files | undefined> {
  const { known } = options
  const root = await fetchFile('root.json', options, known?.rootEtag)
  if (root === 'unchanged' || rootFingerprint(root.bytes) === known?.rootFingerprint) return undefined
  return { 'root.json': root, 'root.json.sig': expectRead(await fetchFile('root.json.sig', options)) }
}

async function storedRoot(options: FetchOptions): Promise<Files> {
  const stored = await options.loadStored()
  const root = stored?.files['root.json']
  const signature = stored?.files['root.json.sig']
  if (root && signature) return { 'root.json': root, 'root.json.sig': signature }
  const files = await Promise.all([fetchFile('root.json', options), fetchFile('root.json.sig', options)])
  return { 'root.json': expectRead(files[0]), 'root.json.sig': expectRead(files[1]) }
}

/** Reads the signature and verifies. The index may have been replaced between the two readings: then both are read once more. */
async function verifyWithSignature(
  files: Files,
  options: FetchOptions,
): Promise<{ readonly files: Files; readonly head: VerifiedHead }> {
  if (options.pin.unsigned) return { files, head: await verifyHead(files, options.pin) }
  const complete = async (index: StoredFile | undefined): Promise<Files> => {
    const signature = expectRead(await fetchFile('index.json.sig', options))
    return { ...files, ...(index && { 'index.json': index }), 'index.json.sig': signature }
  }
  const first = await complete(files['index.json'])
  try {
    return { files: first, head: await verifyHead(first, options.pin) }
  } catch {
    const again = await complete(expectRead(await fetchFile('index.json', options)))
    return { files: again, head: await verifyHead(again, options.pin) }
  }
}

function checkSequence({ index: { sequence }, indexHash }: VerifiedHead, known: KnownSnapshot | undefined): void {
  if (known === undefined || sequence > known.sequence) return
  if (sequence < known.sequence)
    throw untrusted('index.json', 'sequence_older', `it has number ${sequence}, and ${known.sequence} was seen before`)
  if (indexHash !== known.indexHash)
    throw untrusted('index.json', 'sequence_reused', `number ${sequence} was seen before with other content`)
}

/** Who has one key of an index could put a list in it that several signed once: with a publisher's key that is gone from it since. */
export function requireSerial(
  { publishers, index, root }: VerifiedSnapshot,
  known: Pick<KnownSnapshot, 'publishers'> | undefined,
): void {
  const { serial } = publishers
  if (root?.root.keysThreshold === undefined || serial === undefined || !known?.publishers) return
  const { publishers: seen } = known
  const refuse = (rule: string, problem: string) => untrusted('publishers.json', rule, problem)
  if (serial < seen.serial) throw refuse('serial_older', `it has number ${serial}, and ${seen.serial} was seen before`)
  if (serial === seen.serial && index.files['publishers.json'] !== seen.hash)
    throw refuse('serial_reused', `number ${serial} was seen before with other content`)
}

async function fetchSideFiles(head: VerifiedHead, options: FetchOptions): Promise<Files> {
  const stored = await options.loadStored()
  const entries = await Promise.all(
    sideFilesOf(head).map(async (name): Promise<[StoredFileName, StoredFile]> => {
      const kept = stored?.files[name]
      if (kept && isStillThat(name, kept, stored.files, head)) return [name, kept]
      return [name, expectRead(await fetchFile(name, options))]
    }),
  )
  return Object.fromEntries(entries)
}

/** Whether a file that was stored is the one that the index has now. Nothing names the signatures: they must hold for the list that is named. */
function isStillThat(name: StoredFileName, kept: StoredFile, stored: Files, { index, root }: VerifiedHead): boolean {
  const named: Readonly<Partial<Record<string, string>>> = index.files
  if (name !== 'publishers.json.sig') return sha256Of(kept.bytes) === named[name]
  const list = stored['publishers.json']
  if (!root || !list || sha256Of(list.bytes) !== named['publishers.json']) return false
  try {
    verifyPublishers(list.bytes, kept.bytes, root)
    return true
  } catch {
    return false
  }
}

async function fetchFile(
  name: StoredFileName,
  { source, transport, signal }: FetchOptions,
  etag?: string,
): Promise<StoredFile | 'unchanged'> {
  const answer = await transport.read(name, {
    maxBytes: maxBytes[name],
    ...(etag !== undefined && { etag }),
    ...(signal && { signal }),
  })
  if (answer.kind === 'unchanged') return 'unchanged'
  if (answer.kind === 'missing' && name === 'index.json') throw unavailable(source, 'missing', 'there is no index.json')
  if (answer.kind === 'missing') throw untrusted(name, 'missing', 'it is not there')
  return { bytes: answer.bytes, ...(answer.etag !== undefined && { etag: answer.etag }) }
}

/** What was asked for without a condition is there. */
function expectRead(file: StoredFile | 'unchanged'): StoredFile {
  if (file === 'unchanged')
    throw untrusted('index.json', 'missing', 'it is said to be unchanged, and nothing was known')
  return file
}
