import { createHash } from 'node:crypto'
import { lstat, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pluginFolder } from '../index-format/index-entry.ts'
import { parsePluginFile, type PluginFile } from '../index-format/plugin-file.ts'
import { parsePublishersFile, type PublishersFile } from '../index-format/publishers-file.ts'
import { parseRevocationsFile, type RevocationsFile } from '../index-format/revocations-file.ts'
import { IndexRefusal } from './index-refusal.ts'

/** An index as its keeper has it: a folder, whatever was built of it. */
export interface IndexFolder {
  readonly directory: string
  readonly publishers: PublishersFile
  readonly revocations: RevocationsFile
  /** By name, in their order. */
  readonly plugins: ReadonlyMap<string, PluginFile>
}

/** Reads the folder of an index; throws an IndexRefusal where there is none, and what the files are refused with. */
export async function readIndexFolder(directory: string): Promise<IndexFolder> {
  const publishers = await readPart(directory, 'publishers.json')
  if (!publishers)
    throw new IndexRefusal(`${directory} is no index: there is no publishers.json. stoa index init makes one.`)
  const revocations = await readPart(directory, 'revocations.json')
  const plugins = new Map<string, PluginFile>()
  for (const name of await listPlugins(directory)) {
    const file = await readPart(directory, `${pluginFolder(name)}plugin.json`)
    if (file) plugins.set(name, parsePluginFile(file))
  }
  return {
    directory,
    publishers: parsePublishersFile(publishers),
    revocations: revocations ? parseRevocationsFile(revocations) : { format: 1, plugins: [], keys: [], licenses: [] },
    plugins,
  }
}

/** The names of the plugins that an index has folders of, in their order. */
export async function listPlugins(directory: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const letters of await readFolder(join(directory, 'p'))) {
    names.push(...(await readFolder(join(directory, 'p', letters))))
  }
  return names.sort()
}

/** A file of an index, or nothing; a link is none, so that nothing outside of the index becomes part of it. */
export async function readPart(directory: string, path: string): Promise<Buffer | undefined> {
  let full = directory
  for (const part of path.split('/')) {
    full = join(full, part)
    const found = await lstat(full).catch(() => undefined)
    if (!found || found.isSymbolicLink()) return undefined
  }
  return readFile(full).catch(() => undefined)
}

/** SHA-256 in hex. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function readFolder(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}
