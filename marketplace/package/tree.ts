import { createHash } from 'node:crypto'

/** A file of a package. */
export interface PackageFile {
  /** From the top of the package, with `/`. */
  readonly path: string
  readonly size: number
  /** SHA-256 in hex. */
  readonly sha256: string
}

/** The one file that is not part of what is signed: the signature itself. */
export const signaturePath = 'META/signature.json'

/**
 * The identity of what a package holds, whatever zip carries it: SHA-256 over a line `path NUL size NUL sha256` for each
 * file but the signature, in the order of the paths' bytes.
 */
export function treeHash(files: readonly PackageFile[]): string {
  const hash = createHash('sha256')
  for (const { path, size, sha256 } of sortByPath(files)) {
    if (path !== signaturePath) hash.update(`${path}\0${size}\0${sha256}\n`)
  }
  return hash.digest('hex')
}

/** Files in the order of their paths' bytes. */
export function sortByPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}
