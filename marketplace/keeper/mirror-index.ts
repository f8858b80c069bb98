import { join } from 'node:path'
import { ownValue } from '../index-format/form.ts'
import { parseIndexFile } from '../index-format/index-file.ts'
import { indexLimits } from '../index-format/index-limits.ts'
import { parsePluginFile, type PluginFile, type PluginVersion } from '../index-format/plugin-file.ts'
import { parsePublishersFile } from '../index-format/publishers-file.ts'
import { rootFingerprint } from '../index-format/root.ts'
import type { VerifiedSnapshot } from '../index-client/verify-snapshot.ts'
import { readPart, sha256Of } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { createIndexReader, readSnapshot, readVerified, type WantedFile } from './read-index.ts'
import { writeAtomic } from './write-atomic.ts'

/** How an index is copied. */
interface MirrorOptions {
  /** The plugins that are copied; all unless given. */
  readonly only?: readonly string[]
  /** SHA-256 of root.json; without it the root that the target has, or the first that is seen. */
  readonly rootFingerprint?: string
  /** Sent to the server of the index, such as a token. */
  readonly headers?: Readonly<Record<string, string>>
  readonly onFile?: (path: string, done: number, total: number) => void
}

/** What was copied. */
interface MirroredIndex {
  readonly sequence: number
  readonly fingerprint: string
  readonly plugins: number
  /** Files that were fetched, and those that were there already with the right bytes. */
  readonly fetched: number
  readonly kept: number
  /** Releases whose address leads elsewhere: their packages are here, and clients look there first. */
  readonly elsewhere: readonly string[]
}

/**
 * Copies an index into a folder, verified file by file against its signature: what is there already is not fetched again, so that an
 * interrupted copy goes on. Signatures are kept, and sites trust the copy by the same root. Throws an IndexRefusal, IndexUntrustedError or FetchFailure.
 */
export async function mirrorIndex(
  from: string,
  directory: string,
  options: MirrorOptions = {},
): Promise<MirroredIndex> {
  const read = createIndexReader(from, options.headers)
  const pinned = options.rootFingerprint ?? (await pinnedBy(directory))
  const { files, snapshot } = await readSnapshot(read, pinned)
  await requireProgress(directory, snapshot)
  const names = wantedNames(snapshot, options.only)
  const plugins: { readonly file: PluginFile; readonly folder: string; readonly bytes: Buffer }[] = []
  for (const [done, name] of names.entries()) {
    const entry = ownValue(snapshot.index.plugins, name)
    if (!entry) continue
    options.onFile?.(`${entry.path}plugin.json`, done, names.length)
    const bytes = await readVerified(read, {
      path: `${entry.path}plugin.json`,
      sha256: entry.sha256,
      most: indexLimits.pluginBytes,
    })
    plugins.push({ file: parsePluginFile(bytes), folder: entry.path, bytes })
  }
  const wanted = plugins.flatMap(({ file, folder }) => filesOf(file, folder))
  let kept = 0
  for (const [done, file] of wanted.entries()) {
    options.onFile?.(file.path, done, wanted.length)
    const there = await readPart(directory, file.path)
    if (there && sha256Of(there) === file.sha256) kept++
    else await writeAtomic(join(directory, file.path), await readVerified(read, file))
  }
  for (const { folder, bytes } of plugins) await writeAtomic(join(directory, folder, 'plugin.json'), bytes)
  // What leads to the rest comes last: a reader of a copy that is not whole finds the one before.
  for (const [name, { bytes }] of Object.entries(files)) await writeAtomic(join(directory, name), bytes)
  return {
    sequence: snapshot.index.sequence,
    fingerprint: snapshot.root?.fingerprint ?? '',
    plugins: plugins.length,
    ...{ fetched: wanted.length - kept, kept },
    elsewhere: plugins.flatMap(({ file }) =>
      file.versions.filter(isElsewhere).map(({ version }) => `${file.name} ${version}`),
    ),
  }
}

async function pinnedBy(directory: string): Promise<string | undefined> {
  const root = await readPart(directory, 'root.json')
  return root && rootFingerprint(root)
}

/** Never back to an older state, as no client goes back. */
async function requireProgress(directory: string, { index, publishers, root }: VerifiedSnapshot): Promise<void> {
  const { sequence } = index
  const bytes = await readPart(directory, 'index.json')
  const last = bytes ? parseIndexFile(bytes).sequence : 0
  const list = root?.root.keysThreshold === undefined ? undefined : await readPart(directory, 'publishers.json')
  const serial = (list && parsePublishersFile(list).serial) ?? 0
  if (serial > (publishers.serial ?? 0))
    throw new IndexRefusal(
      `The copy has list ${serial} of publishers, and the index an older one: somebody put it back.`,
    )
  if (last > sequence)
    throw new IndexRefusal(`The copy is at sequence ${last}, and the index at ${sequence}: somebody serves an old one.`)
}

function wantedNames({ index }: VerifiedSnapshot, only: readonly string[] | undefined): readonly string[] {
  const missing = only?.find((name) => !Object.hasOwn(index.plugins, name))
  if (missing !== undefined) throw new IndexRefusal(`The index has no plugin ${missing}.`)
  return only ?? Object.keys(index.plugins)
}

function filesOf({ name, files = {}, versions }: PluginFile, folder: string): readonly WantedFile[] {
  return [
    ...Object.entries(files).map(([path, sha256]) => ({ path: folder + path, sha256, most: indexLimits.imageBytes })),
    ...versions.map((version): WantedFile => {
      const { sha256, size, url } = version
      if (!isElsewhere(version)) return { path: folder + url, sha256, most: size }
      return { path: `${folder}releases/${name}-${version.version}.plugin.zip`, address: url, sha256, most: size }
    }),
  ]
}

function isElsewhere({ url }: PluginVersion): boolean {
  return url.includes(':')
}
