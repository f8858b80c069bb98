import { join } from 'node:path'
import { pluginFolder } from '../index-format/index-entry.ts'
import { indexLimits } from '../index-format/index-limits.ts'
import { parsePluginFile } from '../index-format/plugin-file.ts'
import { parsePublishersFile, type Publisher } from '../index-format/publishers-file.ts'
import { parseRevocationsFile, type RevocationsFile } from '../index-format/revocations-file.ts'
import type { RootKey } from '../index-format/root-file.ts'
import { readIndexFolder } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { findSigningRoot, proposePublishers, readPublishersLists } from './publishers-list.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

/** Of one plugin, by its publisher. */
const mostDeprecations = 5

/**
 * Registers a publisher, or one more key of it; its level is as given, and stays as it is unless given. Where several people must sign,
 * the change waits for them, together with what waits already.
 */
export async function addPublisher(
  directory: string,
  name: string,
  key: RootKey,
  about: { readonly level?: Publisher['level']; readonly title?: string; readonly homepage?: string },
): Promise<Publisher> {
  const folder = await readIndexFolder(directory)
  const root = await findSigningRoot(directory)
  const publishers = (root && (await readPublishersLists(directory, root)).waiting?.list) ?? folder.publishers
  const known = publishers.publishers[name]
  const { kid, publicKey } = key
  if (known?.keys.some((each) => each.kid === kid && each.publicKey !== publicKey))
    throw new IndexRefusal(`${name} has another key ${kid} already: a new key has a new id.`)
  const keys = [...(known?.keys ?? []).filter((each) => each.kid !== kid), { kid, publicKey }]
  const publisher: Publisher = { level: 'community', ...known, ...about, keys }
  const changed = { ...publishers.publishers, [name]: publisher }
  if (root) await proposePublishers(directory, changed)
  else await write(directory, 'publishers.json', { ...publishers, publishers: changed }, parsePublishersFile)
  return publisher
}

/** Takes a version back, or with `undo` gives it out again. Its package stays for those who ask for it by name. */
export async function yankVersion(
  directory: string,
  name: string,
  version: string,
  { reason, at, undo }: { readonly reason: string; readonly at: Date; readonly undo: boolean },
): Promise<void> {
  const plugin = (await readIndexFolder(directory)).plugins.get(name)
  const found = plugin?.versions.find((each) => each.version === version)
  if (!plugin || !found) throw new IndexRefusal(`The index has no ${name} ${version}.`, [], 'release_unknown')
  if (undo === (found.yanked === null))
    throw new IndexRefusal(`${name} ${version} is ${undo ? 'not yanked' : 'yanked already'}.`, [], 'yanked_already')
  const yanked = undo ? null : { reason, at: at.toISOString() }
  const versions = plugin.versions.map((each) => (each === found ? { ...each, yanked } : each))
  await write(directory, `${pluginFolder(name)}plugin.json`, { ...plugin, versions }, parsePluginFile)
}

/** Adds to what an index revokes: releases, keys of publishers, licences. What is revoked already is not listed twice. */
export async function revoke(directory: string, more: Omit<RevocationsFile, 'format'>): Promise<void> {
  const { revocations, plugins } = await readIndexFolder(directory)
  for (const { plugin } of more.plugins)
    if (!plugins.has(plugin)) throw new IndexRefusal(`The index has no plugin ${plugin}.`)
  const isSame = (a: (typeof more.plugins)[number], b: (typeof more.plugins)[number]): boolean =>
    a.plugin === b.plugin && a.versions === b.versions
  const isListed = (kid: string): boolean => more.keys.some((key) => key.kid === kid)
  const changed: RevocationsFile = {
    format: 1,
    plugins: [
      ...revocations.plugins.filter((each) => !more.plugins.some((other) => isSame(each, other))),
      ...more.plugins,
    ],
    keys: [...revocations.keys.filter(({ kid }) => !isListed(kid)), ...more.keys],
    licenses: [...new Set([...revocations.licenses, ...more.licenses])],
  }
  await write(directory, 'revocations.json', changed, parseRevocationsFile)
}

/** A publisher's own word against its releases: never in the place of what the keeper revoked, and never so much that the keeper has no room. */
export async function deprecate(
  directory: string,
  plugin: string,
  { versions, reason }: { readonly versions: string; readonly reason: string },
): Promise<void> {
  const { revocations } = await readIndexFolder(directory)
  const own = revocations.plugins.filter((each) => each.plugin === plugin)
  const isDeprecation = ({ action, severity, cve }: (typeof own)[number]): boolean =>
    action === 'warn' && severity === 'low' && cve === undefined
  const same = own.find((each) => each.versions === versions)
  if (same && !isDeprecation(same))
    throw new IndexRefusal(`${plugin} ${versions} is revoked already.`, [], 'revoked_already')
  if (!same && own.filter(isDeprecation).length >= mostDeprecations)
    throw new IndexRefusal(
      `${plugin} is deprecated ${mostDeprecations} times already: ask the keeper to join the ranges.`,
    )
  // What the file may hold beyond that is the keeper's, whose word against a release may be urgent.
  const isHalfFull =
    revocations.plugins.length >= indexLimits.revocations / 2 ||
    toStableJson(revocations).length >= indexLimits.revocationsBytes / 2
  if (isHalfFull && !same) throw new IndexRefusal('The index has no room for more deprecations: tell its keeper.')
  await revoke(directory, {
    plugins: [{ plugin, versions, action: 'warn', severity: 'low', reason }],
    keys: [],
    licenses: [],
  })
}

/** Writes a file when clients would take it; throws IndexInvalidError, and then nothing is written. */
async function write(
  directory: string,
  path: string,
  value: unknown,
  parse: (bytes: Buffer) => unknown,
): Promise<void> {
  const bytes = toStableJson(value)
  parse(bytes)
  await writeAtomic(join(directory, path), bytes)
}
