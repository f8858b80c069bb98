import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeZip } from '../pack/zip-writer.ts'
import type { OpenedPackage } from '../package/opened-package.ts'
import { signPackage, type SigningKey } from '../package/signature.ts'
import { signaturePath, sortByPath } from '../package/tree.ts'

/** The zip of an opened package with the signature of a key, in place of any other; the same bytes as if it had been signed when it was packed. */
export async function signOpened(opened: OpenedPackage, key: SigningKey): Promise<Buffer> {
  const kept = opened.files.filter(({ path }) => path !== signaturePath)
  const files = await Promise.all(
    kept.map(async ({ path }) => ({ path, data: await readFile(join(opened.directory, path)) })),
  )
  const signature = signPackage({ manifest: opened.manifest, files: kept }, key)
  return writeZip(sortByPath([...files, { path: signaturePath, data: Buffer.from(`${JSON.stringify(signature)}\n`) }]))
}
