import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import type { Code } from '../wire/call.ts'

/**
 * The text of one file of a release, for a sandbox host, which may read none by itself. Throws, with a message for the
 * plugin's author, when the release does not list the file or when it is not what was installed.
 */
export async function readSource({ directory, files }: Code, file: string): Promise<string> {
  const expected = Object.hasOwn(files, file) ? files[file] : undefined
  if (expected === undefined) throw new Error(`${file} is not in the release`)
  const bytes = await readFile(path.join(directory, file))
  if (createHash('sha256').update(bytes).digest('hex') !== expected)
    throw new Error(`${file} is not what was installed`)
  return bytes.toString('utf8')
}
