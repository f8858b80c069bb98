import { readFile, readdir, writeFile, mkdir } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readSigningKey } from '../../marketplace/cli/key-file.ts'
import { packPlugin } from '../../marketplace/pack.ts'
import { stoa } from './run-stoa.ts'
import { makeScratch, sampleManifest } from './sample-package.ts'

/** A folder with an index, keys of publishers, and what it takes to pack small plugins; gone with the test. */
export interface IndexWorkshop extends AsyncDisposable {
  readonly path: string
  readonly index: string
  /** Runs `stoa` in the folder; `--json` answers are parsed. */
  run(...args: string[]): Promise<{ readonly exitCode: number; readonly json: unknown }>
  /** Packs a plugin of one file, signed with a key unless that is null. */
  pack(changes: Readonly<Record<string, unknown>>, key?: string | null, code?: string): Promise<string>
  /** SHA-256 of every file of the index, by path. */
  readIndex(): Promise<Readonly<Record<string, string>>>
}

/** Makes an index with the publishers `acme` (verified) and `other` (community), whose keys are `acme-1` and `other-1`. */
export async function makeIndexWorkshop(): Promise<IndexWorkshop> {
  const scratch = await makeScratch()
  const index = join(scratch.path, 'index')
  let packed = 0
  const workshop: IndexWorkshop = {
    path: scratch.path,
    index,
    async run(...args) {
      const { exitCode, stdout, stderr } = await stoa(scratch.path, ...args, '--json')
      return { exitCode, json: stdout === '' ? stderr : (JSON.parse(stdout) as unknown) }
    },
    async pack(changes, key = 'acme-1', code = 'export default { handlers: {} }') {
      const folder = join(scratch.path, `plugin-${++packed}`)
      await mkdir(join(folder, 'src'), { recursive: true })
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(sampleManifest(changes)))
      await writeFile(join(folder, 'src/index.ts'), code)
      await writeFile(join(folder, 'README.md'), '# Sample\n')
      // Past stoa pack, which refuses what an index has to refuse by itself.
      const sign = key === null ? {} : { sign: await readSigningKey(join(scratch.path, `${key}.key.json`)) }
      await packPlugin(folder, { out: `${folder}.zip`, ...sign })
      return `${folder}.zip`
    },
    readIndex: () => hashTree(index),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  }
  await workshop.run('index', 'init', 'index')
  for (const [publisher, level] of [
    ['acme', 'verified'],
    ['other', 'community'],
  ] as const) {
    await workshop.run('keygen', `${publisher}-1`)
    await workshop.run(
      'index',
      'add-publisher',
      publisher,
      `${publisher}-1.pub.json`,
      '--level',
      level,
      '--index',
      'index',
    )
  }
  return workshop
}

/** SHA-256 of every file below a folder, by path. */
export async function hashTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const hashes: Record<string, string> = {}
  for (const path of paths.sort()) {
    hashes[path.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return hashes
}
