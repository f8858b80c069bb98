import AdmZip from 'adm-zip'

/** A file to be put into a zip. */
export interface ZipFile {
  readonly path: string
  readonly data: Buffer
}

/** The first day a zip knows, at midnight wherever it is written: times are kept without a zone. */
const firstDay = new Date(1980, 0, 1)
/** Made by version 2.0 on a Unix system, so that the mode counts. */
const madeBy = 0x0314
const rights = 0o644
const [stored, deflated] = [0, 8]

/**
 * Writes a zip that is the same for the same files, wherever and whenever it is written: sorted by the caller, without
 * times, rights, extra fields or comments. Deflated where that is shorter.
 */
export function writeZip(files: readonly ZipFile[]): Buffer {
  const zip = new AdmZip(undefined, { noSort: true })
  for (const { path, data } of files) {
    const entry = zip.addFile(path, data, '', rights)
    entry.header.made = madeBy
    entry.header.time = firstDay
    entry.header.method = deflated
    if (entry.getCompressedData().length >= data.length) entry.header.method = stored
  }
  return zip.toBuffer()
}
