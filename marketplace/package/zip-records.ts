import { ViolationError } from './violation.ts'

/** An entry as the central directory describes it. */
export interface ZipEntry {
  readonly path: string
  readonly method: 0 | 8
  readonly version: number
  readonly flags: number
  readonly crc: number
  readonly compressedSize: number
  readonly size: number
  /** Where its local header begins. */
  readonly offset: number
  /** How long its record in the directory is. */
  readonly recordBytes: number
}

const endBytes = 22
const entryBytes = 46
const localBytes = 30
const max32 = 0xffff_ffff
const max16 = 0xffff
/** The only flag allowed: the name is UTF-8. */
const utf8 = 0x800
/** 2.0, which knows folders and deflate: what needs a later one has something that is not allowed. */
const mostVersion = 20
/** Times and owners, which archivers add unasked and nobody reads here; any other field changes what an entry is, or hides bytes. */
const idleFields: ReadonlySet<number> = new Set([0x5455, 0x7875, 0x000a])
/** Two sets of times in full, or an owner. */
const longestIdleField = 36
const regularFile = 0x8000
const fileType = 0xf000
/** Runs as its owner or its group, or stays where it is. */
const specialBits = 0x0e00
/** A label, a folder, a device. */
const dosSpecial = 0x58

/** Reads the record that ends the file; it is the only place a zip is read from. */
export function readEndRecord(zip: Buffer): { count: number; offset: number; size: number } {
  const at = zip.length - endBytes
  if (at < 0 || zip.readUInt32LE(at) !== 0x0605_4b50)
    throw new ViolationError('end_record', 'the file does not end with the end record of a zip')
  const count = zip.readUInt16LE(at + 10)
  const size = zip.readUInt32LE(at + 12)
  const offset = zip.readUInt32LE(at + 16)
  if (count === max16 || size === max32 || offset === max32) throw new ViolationError('zip64', 'zip64 is not allowed')
  if (zip.readUInt16LE(at + 4) !== 0 || zip.readUInt16LE(at + 6) !== 0 || zip.readUInt16LE(at + 8) !== count)
    throw new ViolationError('disk', 'an archive of several disks is not allowed')
  if (zip.readUInt16LE(at + 20) !== 0) throw new ViolationError('comment', 'a comment is not allowed')
  if (offset + size !== at)
    throw new ViolationError('central_directory', 'the directory does not end where the end record begins')
  return { count, offset, size }
}

/** Reads one entry of the directory, which ends at `end`. */
export function readEntry(zip: Buffer, at: number, end: number): ZipEntry {
  if (at + entryBytes > end || zip.readUInt32LE(at) !== 0x0201_4b50)
    throw new ViolationError('central_directory', 'an entry of the directory is broken')
  const nameBytes = zip.readUInt16LE(at + 28)
  const extraBytes = zip.readUInt16LE(at + 30)
  const recordBytes = entryBytes + nameBytes + extraBytes
  if (at + recordBytes > end) throw new ViolationError('central_directory', 'an entry of the directory is cut off')
  // Bytes outside ASCII become characters that no allowed name has.
  const path = zip.toString('latin1', at + entryBytes, at + entryBytes + nameBytes)
  const method = zip.readUInt16LE(at + 10)
  const version = zip.readUInt16LE(at + 6)
  const flags = zip.readUInt16LE(at + 8)
  const compressedSize = zip.readUInt32LE(at + 20)
  const size = zip.readUInt32LE(at + 24)
  const offset = zip.readUInt32LE(at + 42)
  if (flags !== 0 && flags !== utf8)
    throw new ViolationError(
      'flags',
      flags & 1 ? 'encryption is not allowed' : 'a flag other than UTF-8 is not allowed',
      path,
    )
  if (version > mostVersion)
    throw new ViolationError('version', 'a file needs a later version of the format than 2.0', path)
  if (method !== 0 && method !== 8)
    throw new ViolationError('method', 'only stored and deflated files are allowed', path)
  if (zip.readUInt16LE(at + 32) !== 0) throw new ViolationError('comment', 'a comment is not allowed', path)
  if (zip.readUInt16LE(at + 34) !== 0) throw new ViolationError('disk', 'a file on another disk is not allowed', path)
  if (compressedSize === max32 || size === max32 || offset === max32)
    throw new ViolationError('zip64', 'zip64 is not allowed', path)
  if (method === 0 && compressedSize !== size)
    throw new ViolationError('file_size', 'a stored file has two sizes', path)
  checkMode(zip.readUInt32LE(at + 38), path)
  checkExtra(zip.subarray(at + entryBytes + nameBytes, at + recordBytes), path)
  return { path, method, version, flags, crc: zip.readUInt32LE(at + 16), compressedSize, size, offset, recordBytes }
}

/** Checks that the local header says what the directory says; returns its length. */
export function readLocalHeader(zip: Buffer, entry: ZipEntry, end: number): number {
  const { offset: at, path } = entry
  if (at + localBytes > end || zip.readUInt32LE(at) !== 0x0403_4b50)
    throw new ViolationError('local_header', 'a file has no header', path)
  const nameBytes = zip.readUInt16LE(at + 26)
  const length = localBytes + nameBytes + zip.readUInt16LE(at + 28)
  if (at + length > end) throw new ViolationError('local_header', 'the header of a file is cut off', path)
  const isSame =
    zip.readUInt16LE(at + 4) === entry.version &&
    zip.readUInt16LE(at + 6) === entry.flags &&
    zip.readUInt16LE(at + 8) === entry.method &&
    zip.readUInt32LE(at + 14) === entry.crc &&
    zip.readUInt32LE(at + 18) === entry.compressedSize &&
    zip.readUInt32LE(at + 22) === entry.size &&
    zip.toString('latin1', at + localBytes, at + localBytes + nameBytes) === path
  if (!isSame) throw new ViolationError('local_header', 'the header of a file contradicts the directory', path)
  checkExtra(zip.subarray(at + localBytes + nameBytes, at + length), path)
  return length
}

function checkMode(attributes: number, path: string): void {
  const mode = attributes >>> 16
  const type = mode & fileType
  if ((type !== 0 && type !== regularFile) || mode & specialBits || attributes & dosSpecial)
    throw new ViolationError('mode', 'only regular files are allowed', path)
}

function checkExtra(extra: Buffer, path: string): void {
  const seen = new Set<number>()
  for (let at = 0; at < extra.length;) {
    const id = at + 4 <= extra.length ? extra.readUInt16LE(at) : undefined
    const length = id === undefined ? Infinity : extra.readUInt16LE(at + 2)
    const isIdle = id !== undefined && idleFields.has(id) && !seen.has(id) && length <= longestIdleField
    if (!isIdle || at + 4 + length > extra.length)
      throw new ViolationError('extra_field', 'an extra field is broken, comes twice or is not allowed', path)
    seen.add(id)
    at += 4 + length
  }
}
