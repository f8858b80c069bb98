const block = 512

/** The files of a tar archive by their names, as text. */
export function untar(archive: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (let at = 0; archive[at];) {
    const text = (from: number, length: number) =>
      archive.toString('utf8', at + from, at + from + length).split('\0')[0]
    const size = parseInt(text(124, 12) ?? '', 8)
    files.set(text(0, 100) ?? '', archive.toString('utf8', at + block, at + block + size))
    at += block + Math.ceil(size / block) * block
  }
  return files
}
