import { sampleEntries, sampleManifest } from '../sample-package.ts'
import { buildZip, type ForgedArchive, type ForgedEntry } from '../zip-builder.ts'

/** What makes a package that must be refused, by what is wrong with it. */
export type Cases = Readonly<Record<string, () => Buffer>>

/** So many bytes of nothing. */
export const zeros = (bytes: number): Buffer => Buffer.alloc(bytes)
/** The smallest package that is valid, with more entries, and lies of the archive as a whole. */
export const withEntries = (entries: readonly ForgedEntry[] = [], archive: ForgedArchive = {}): Buffer =>
  buildZip([...sampleEntries(), ...entries], archive)
/** The smallest package with one file more, of this name. */
export const named = (path: string | Buffer, more: Partial<ForgedEntry> = {}): Buffer =>
  withEntries([{ path, data: 'x', ...more }])
/** The smallest package with one page more, about which this is said. */
export const page = (entry: Partial<ForgedEntry>): Buffer =>
  withEntries([{ path: 'ui/a.txt', data: 'some text', ...entry }])
/** The smallest package with this as its manifest.json. */
export const withText = (manifest: string | Buffer): Buffer =>
  buildZip([...sampleEntries().slice(0, 1), { path: 'manifest.json', data: manifest }])
/** The smallest package with fields of its manifest otherwise, and more files. */
export const withManifest = (changes: Readonly<Record<string, unknown>>, more: readonly ForgedEntry[] = []): Buffer =>
  buildZip([...sampleEntries(changes), ...more])
/** The text of the smallest manifest, the texts in it replaced. */
export const textWith = (find: string, replacement: string): string => {
  const text = JSON.stringify(sampleManifest())
  if (!text.includes(find)) throw new Error(`the manifest has no ${find}`)
  return text.replace(find, () => replacement)
}
/** A copy with other bytes at a place; one before the start counts from the end. */
export function patched(zip: Buffer, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(zip)
  copy.set(bytes, at < 0 ? copy.length + at : at)
  return copy
}
/** Where the end record begins in a zip without a comment. */
export const endRecordOf = (zip: Buffer): number => zip.length - 22
