import { join } from 'node:path'
import { createIndexEntry, pluginFolder } from '../index-format/index-entry.ts'
import {
  indexSideFiles,
  parseIndexFile,
  type IndexEntry,
  type IndexFile,
  type IndexTrust,
} from '../index-format/index-file.ts'
import type { PluginFile } from '../index-format/plugin-file.ts'
import { findPublisher, findPublisherKey, type PublishersFile } from '../index-format/publishers-file.ts'
import { verifyRoot } from '../index-format/root.ts'
import { parseIndexSignature } from '../index-format/root-file.ts'
import { signIndex, verifyIndex } from '../index-format/sign-index.ts'
import type { SigningKey } from '../package/signature.ts'
import { readIndexFolder, readPart, sha256Of, type IndexFolder } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { hashPageFiles } from './page-files.ts'
import { choosePublishers, putInForce, readPublishersLists, type SignedList } from './publishers-list.ts'
import { writeSite } from './site/write-site.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

/** How an index is built. */
interface BuildOptions {
  /** As many keys of root.json as it asks for. */
  readonly keys: readonly SigningKey[]
  /** How long clients take it for fresh. */
  readonly expiresDays: number
  /** Now unless given. */
  readonly generated?: Date
  /** Whether the pages for people are written too. */
  readonly hasSite?: boolean
}

/** What was built. */
interface BuiltIndex {
  readonly sequence: number
  readonly plugins: number
  readonly expires: string
  /** Plugins whose plugin.json was written anew, because files beside it had changed. */
  readonly refreshed: readonly string[]
  /** A change of who may publish that waits for signatures, and is not in it. */
  readonly waiting: Pick<SignedList, 'signed' | 'missing'> | null
}

const dayMs = 86_400_000

/** Builds and signs index.json from what the folder of an index holds. Throws an IndexRefusal when the keys are not those of root.json. */
export async function buildIndex(
  directory: string,
  { keys, expiresDays, generated = new Date(), hasSite = false }: BuildOptions,
): Promise<BuiltIndex> {
  const read = await readIndexFolder(directory)
  const [root, rootSignature] = [await readPart(directory, 'root.json'), await readPart(directory, 'root.json.sig')]
  if (!root || !rootSignature)
    throw new IndexRefusal(`${directory} has no root.json that is signed: stoa index init makes one.`)
  const trusted = verifyRoot({ root, signature: rootSignature })
  const list = trusted.root.keysThreshold === undefined ? undefined : await choosePublishers(directory, trusted)
  const folder = { ...read, ...(list && { publishers: list.list }) }
  const entries: Record<string, IndexEntry> = {}
  const changes = new Map<string, Buffer>()
  const plugins: PluginFile[] = []
  for (const [name, plugin] of folder.plugins) {
    const complete: PluginFile = { ...plugin, files: await hashPageFiles(directory, name) }
    plugins.push(complete)
    const path = `${pluginFolder(name)}plugin.json`
    const bytes = toStableJson(complete)
    if (!(await readPart(directory, path))?.equals(bytes)) changes.set(path, bytes)
    entries[name] = createIndexEntry(complete, { sha256: sha256Of(bytes), ...about(plugin, folder) })
  }
  const index: IndexFile = {
    format: 1,
    sequence: (await lastSequence(directory)) + 1,
    generated: generated.toISOString(),
    expires: new Date(generated.getTime() + expiresDays * dayMs).toISOString(),
    plugins: entries,
    files: { ...(await hashSideFiles(directory)), ...(list && { 'publishers.json': sha256Of(list.bytes) }) },
  }
  const bytes = toStableJson(index)
  parseIndexFile(bytes)
  const signature = signIndex(bytes, keys)
  verifyIndex(bytes, parseIndexSignature(signature), trusted.root)
  for (const [path, content] of changes) await writeAtomic(join(directory, path), content)
  if (list) await putInForce(directory, list)
  await writeAtomic(join(directory, 'index.json'), bytes)
  await writeAtomic(join(directory, 'index.json.sig'), signature)
  if (hasSite)
    await writeSite(directory, { title: trusted.root.name ?? 'Plugins', fingerprint: sha256Of(root), index, plugins })
  const { sequence, expires } = index
  const waits = list && (await readPublishersLists(directory, trusted)).waiting
  const waiting = waits ? { signed: waits.signed, missing: waits.missing } : null
  return { sequence, plugins: folder.plugins.size, expires, refreshed: [...changes.keys()], waiting }
}

function about(
  plugin: PluginFile,
  { publishers }: IndexFolder,
): { readonly trust: IndexTrust; readonly updated: string } {
  const moments = plugin.versions.flatMap(({ published, yanked }) => [published, ...(yanked ? [yanked.at] : [])])
  return { trust: trustOf(plugin, publishers), updated: moments.sort().at(-1) ?? '' }
}

/** As far as the publisher of its newest version is trusted. */
function trustOf({ publisher, versions }: PluginFile, publishers: PublishersFile): IndexTrust {
  const kid = versions[0]?.kid ?? null
  if (kid === null || findPublisherKey(publishers, kid)?.publisher !== publisher) return 'unsigned'
  return findPublisher(publishers, publisher)?.level ?? 'unsigned'
}

/** 0 before the first build. A sequence that cannot be read is not guessed: clients would refuse a lower one. */
async function lastSequence(directory: string): Promise<number> {
  const bytes = await readPart(directory, 'index.json')
  return bytes ? parseIndexFile(bytes).sequence : 0
}

async function hashSideFiles(directory: string): Promise<IndexFile['files']> {
  const hashes: Record<string, string> = {}
  for (const file of indexSideFiles) {
    const bytes = await readPart(directory, file)
    if (bytes) hashes[file] = sha256Of(bytes)
  }
  return hashes
}
