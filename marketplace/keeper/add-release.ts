import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rcompare } from 'semver'
import { pluginFolder } from '../index-format/index-entry.ts'
import { parsePluginFile, type PluginFile, type Provenance } from '../index-format/plugin-file.ts'
import type { ReviewFinding } from '../index-format/review-file.ts'
import { openPackage } from '../package/open.ts'
import type { OpenedPackage } from '../package/opened-package.ts'
import { compareReleases, type ReleaseComparison } from './compare-releases.ts'
import { describePlugin, describeVersion, newestVersion } from './describe-version.ts'
import { readIndexFolder } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { inspectRelease } from './inspect-release.ts'
import { openRelease } from './open-release.ts'
import { hashPageFiles, isShown, listPageFiles } from './page-files.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

/** How a release is added. */
interface AddOptions {
  /** Where the package can be fetched, an https address; without it the package goes into the index. */
  readonly url?: string
  /** When it is published; now unless given. */
  readonly published?: Date
  /** Whose releases alone are taken; of anybody that the index knows unless given. */
  readonly publisher?: string
  /** Which run publishes it, where that was proved. */
  readonly provenance?: Provenance
  /** Told before the first file is written. */
  readonly onWrite?: () => void
  /** Nothing is written. */
  readonly isDryRun?: boolean
  /** A folder for what is unpacked. */
  readonly scratch: string
}

/** What was added. */
export interface AddedRelease {
  readonly name: string
  readonly version: string
  /** The files that were written or, in a dry run, would have been, from the top of the index. */
  readonly files: readonly string[]
  /** What a reviewer should weigh. */
  readonly findings: readonly ReviewFinding[]
  /** Compared with the newest release before it. */
  readonly comparison: ReleaseComparison | undefined
}

/**
 * Adds a package to the folder of an index: the zip, what the index shows of it, and last its version in plugin.json. Throws an
 * IndexRefusal with every error that the check of the index would find, and then nothing is written.
 */
export async function addRelease(directory: string, zip: string, options: AddOptions): Promise<AddedRelease> {
  const { scratch, url } = options
  const folder = await readIndexFolder(directory)
  const opened = await openPackage(resolve(zip), join(scratch, 'added/tree'))
  const { name, version } = opened.manifest
  requirePublisher(opened, options.publisher)
  const plugin = folder.plugins.get(name)
  const around = { ...folder, names: folder.plugins.keys(), plugin, scratch }
  const findings = await inspectRelease(opened, around)
  const errors = findings.filter(({ level }) => level === 'error')
  if (errors.length > 0)
    throw new IndexRefusal(
      `${name} ${version} is not published.`,
      errors.map((each) => ({ ...each, plugin: name, version })),
    )
  const place = url ?? `releases/${name}-${version}.plugin.zip`
  const { published = new Date(), provenance } = options
  const changed = await withVersion(opened, plugin, { url: place, published, provenance })
  const comparison = await compareWithLast(directory, plugin, opened, scratch)
  const isNewest = newestVersion(changed.versions) === version
  const shown = isNewest ? opened.files.filter(({ path }) => isShown(path)) : []
  const home = pluginFolder(name)
  const pageFiles = shown.map(({ path }) => home + path)
  const files = [...(url === undefined ? [home + place] : []), ...pageFiles, `${home}plugin.json`]
  if (!options.isDryRun) {
    options.onWrite?.()
    if (url === undefined) await writeAtomic(join(directory, home, place), await readFile(zip))
    for (const { path } of shown)
      await writeAtomic(join(directory, home, path), await readFile(join(opened.directory, path)))
    if (isNewest) await dropStale(directory, name, new Set(shown.map(({ path }) => path)))
    const complete: PluginFile = { ...changed, files: await hashPageFiles(directory, name) }
    await writeAtomic(join(directory, home, 'plugin.json'), toStableJson(complete))
  }
  return { name, version, files, findings, comparison }
}

/** What one publisher may push is not another's. */
function requirePublisher({ manifest: { name, version, publisher } }: OpenedPackage, only: string | undefined): void {
  if (only === undefined || only === publisher) return
  const message = `It is of ${publisher}; who publishes here may publish for ${only}.`
  throw new IndexRefusal(`${name} ${version} is not published.`, [
    { level: 'error', rule: 'publisher_other', message, plugin: name, version },
  ])
}

/** plugin.json with one more version, the newest first. */
async function withVersion(
  opened: OpenedPackage,
  plugin: PluginFile | undefined,
  { url, published, provenance }: { url: string; published: Date; provenance: Provenance | undefined },
): Promise<PluginFile> {
  const added = {
    ...(await describeVersion(opened)),
    ...{ url, published: published.toISOString(), yanked: null },
    ...(provenance && { provenance }),
  }
  const versions = [...(plugin?.versions ?? []), added].sort((a, b) => rcompare(a.version, b.version))
  const isNewest = newestVersion(versions) === added.version
  const about = isNewest || !plugin ? describePlugin(opened.manifest) : plugin
  // Whatever the format does not take is refused here, before anything is written.
  return parsePluginFile(toStableJson({ ...about, versions }))
}

async function compareWithLast(
  directory: string,
  plugin: PluginFile | undefined,
  opened: OpenedPackage,
  scratch: string,
): Promise<ReleaseComparison | undefined> {
  const [last] = (plugin?.versions ?? []).toSorted((a, b) => rcompare(a.version, b.version))
  const release = last && (await openRelease(directory, opened.manifest.name, last, scratch))
  return release && compareReleases(release.opened, opened)
}

/** What the newest release shows no more; what reviews found stays. */
async function dropStale(directory: string, name: string, shown: ReadonlySet<string>): Promise<void> {
  for (const path of await listPageFiles(directory, name)) {
    if (isShown(path) && !shown.has(path)) await rm(join(directory, pluginFolder(name), path))
  }
}
