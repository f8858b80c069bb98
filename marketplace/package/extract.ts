import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { prescan, type CheckedEntry, type PackageLimits } from './prescan.ts'
import type { PackageFile } from './tree.ts'
import { ViolationError, type Violation } from './violation.ts'

/** What zlib takes at least; in one piece, a file is not held twice. */
const leastChunk = 64

/** What the opening process is asked. */
export interface ExtractRequest {
  readonly zip: string
  readonly target: string
  readonly limits: PackageLimits
}

/** What the opening process answers. */
export type ExtractAnswer =
  | { readonly ok: true; readonly sha256: string; readonly size: number; readonly files: readonly PackageFile[] }
  | { readonly ok: false; readonly violation: Violation }
  /** The disk, not the package, is at fault: the system's error code. */
  | { readonly ok: false; readonly failure: string }

/** Unpacks a package into an empty folder: prescan, then one file after the other, each checked before it is written. */
export function extract({ zip: path, target, limits }: ExtractRequest): ExtractAnswer {
  try {
    const zip = readZip(path, limits.zipBytes)
    const entries = prescan(zip, limits)
    const files = entries.map((entry) => writeEntry(zip, entry, target))
    return { ok: true, sha256: sha256(zip), size: zip.length, files }
  } catch (error) {
    if (error instanceof ViolationError) return { ok: false, violation: error.violation }
    const { code, message } = error as NodeJS.ErrnoException
    return { ok: false, failure: code ?? message }
  }
}

function readZip(path: string, most: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if (fstatSync(file).size > most) throw new ViolationError('size', `the file is larger than ${most} bytes`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function writeEntry(zip: Buffer, entry: CheckedEntry, target: string): PackageFile {
  const data = readData(zip.subarray(entry.start, entry.start + entry.compressedSize), entry)
  if (data.length !== entry.size) throw new ViolationError('inflate', 'a file is smaller than it says', entry.path)
  if (crc32(data) !== entry.crc) throw new ViolationError('checksum', 'the checksum of a file is wrong', entry.path)
  const path = join(target, entry.path)
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  const file = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o644)
  try {
    for (let at = 0; at < data.length;) at += writeSync(file, data, at)
  } finally {
    closeSync(file)
  }
  return { path: entry.path, size: data.length, sha256: sha256(data) }
}

function readData(packed: Buffer, { path, method, size }: CheckedEntry): Buffer {
  if (method === 0) return packed
  try {
    // One byte more than declared, so that a file that is larger is told from one that is broken.
    const options = { maxOutputLength: size + 1, chunkSize: Math.max(size + 1, leastChunk), info: true }
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (engine.bytesWritten !== packed.length)
      throw new ViolationError('inflate', 'a file has bytes after its end', path)
    return buffer
  } catch (error) {
    if (error instanceof ViolationError) throw error
    throw new ViolationError('inflate', 'a file is larger than it says, or is not deflated', path)
  }
}

function sha256(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
