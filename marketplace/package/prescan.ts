import { checkDistinct, checkName, mostBytesOf, type FileLimits } from './file-names.ts'
import { ViolationError } from './violation.ts'
import { readEndRecord, readEntry, readLocalHeader, type ZipEntry } from './zip-records.ts'

/** The bounds of a package. */
export interface PackageLimits extends FileLimits {
  readonly zipBytes: number
  readonly unpackedBytes: number
  readonly files: number
  readonly ratio: number
}

/** Entries up to this size may be as compressible as they like. */
const ratioFreeBytes = 65_536

/** An entry whose place and size have been checked; `start` is where its data begins. */
export interface CheckedEntry extends ZipEntry {
  readonly start: number
}

/**
 * Reads a zip's directory and believes nothing of it that the bytes do not say twice: the entries, or a violation. Nothing
 * is inflated. After it the local headers and data tile the file without gap or overlap, and every name and size is allowed.
 */
export function prescan(zip: Buffer, limits: PackageLimits): CheckedEntry[] {
  if (zip.length > limits.zipBytes) throw new ViolationError('size', `the file is larger than ${limits.zipBytes} bytes`)
  const { count, offset, size } = readEndRecord(zip)
  if (count > limits.files) throw new ViolationError('count', `it has more than ${limits.files} files`)
  const entries: ZipEntry[] = []
  let at = offset
  while (at < offset + size) {
    if (entries.length === count) throw new ViolationError('count', 'the directory has more entries than it says')
    const entry = readEntry(zip, at, offset + size)
    at += entry.recordBytes
    entries.push(entry)
  }
  if (entries.length !== count) throw new ViolationError('count', 'the directory has fewer entries than it says')
  for (const entry of entries) checkName(entry.path, limits)
  checkDistinct(entries.map(({ path }) => path))
  checkSizes(entries, limits)
  if (!entries.some(({ path }) => path === 'manifest.json'))
    throw new ViolationError('missing', 'there is no manifest.json at the top')
  return layOut(zip, entries, offset)
}

function checkSizes(entries: readonly ZipEntry[], limits: PackageLimits): void {
  let total = 0
  for (const { path, size, compressedSize } of entries) {
    const most = Math.min(limits.fileBytes, mostBytesOf(path, limits) ?? 0)
    if (size > most) throw new ViolationError('file_size', `a file is larger than ${most} bytes`, path)
    if (size > ratioFreeBytes && size > compressedSize * limits.ratio)
      throw new ViolationError('ratio', `a file unpacks to more than ${limits.ratio} times its size`, path)
    total += size
  }
  if (total > limits.unpackedBytes)
    throw new ViolationError('total_size', `it unpacks to more than ${limits.unpackedBytes} bytes`)
}

/** Checks that the entries, in the order they lie, fill the file from its first byte to the directory. */
function layOut(zip: Buffer, entries: readonly ZipEntry[], directory: number): CheckedEntry[] {
  const checked: CheckedEntry[] = []
  let end = 0
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (entry.offset !== end)
      throw new ViolationError(
        'layout',
        entry.offset < end ? 'two entries overlap' : 'there are bytes of no entry',
        entry.path,
      )
    const start = end + readLocalHeader(zip, entry, directory)
    end = start + entry.compressedSize
    if (end > directory) throw new ViolationError('layout', 'an entry reaches into the directory', entry.path)
    checked.push({ ...entry, start })
  }
  if (end !== directory) throw new ViolationError('layout', 'there are bytes of no entry before the directory')
  return checked
}
