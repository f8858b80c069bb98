import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuildRecord } from './dist-folder.ts'

const texts = /\.(html|js|css|svg|json)$/
// A little less than the best, which takes twice the time for a fiftieth of the bytes.
const brotliQuality = 10
const gzipLevel = 9

/** Puts compressed copies beside each text of a folder, and tells what is there. */
export async function compress(folder: string): Promise<BuildRecord['files']> {
  const names = (await Array.fromAsync(glob('**/*', { cwd: folder, withFileTypes: true })))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  const files = await Promise.all(names.sort().map((name) => compressFile(folder, name)))
  return Object.fromEntries(files.flat())
}

async function compressFile(folder: string, name: string) {
  const content = await readFile(path.join(folder, name))
  if (!texts.test(name)) return [describe(name, content)]
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: gzipLevel }),
  ])
  await Promise.all([writeFile(path.join(folder, `${name}.br`), br), writeFile(path.join(folder, `${name}.gz`), gz)])
  return [describe(name, content), describe(`${name}.br`, br), describe(`${name}.gz`, gz)]
}

function describe(name: string, content: Buffer) {
  return [name, { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }] as const
}
