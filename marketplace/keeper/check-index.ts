import { join } from 'node:path'
import { compare } from 'semver'
import { pluginFolder } from '../index-format/index-entry.ts'
import type { PluginFile, PluginVersion } from '../index-format/plugin-file.ts'
import { parseReviewFile, type ReviewFile, type ReviewFinding } from '../index-format/review-file.ts'
import { checkChain, checkForms } from './check-forms.ts'
import { checkHistory } from './check-history.ts'
import { checkRelease } from './check-release.ts'
import { compareReleases, type ReleaseComparison } from './compare-releases.ts'
import { sortFindings, type IndexFinding } from './index-finding.ts'
import { readIndexFolder, readPart, type IndexFolder } from './index-folder.ts'
import { inspectRelease } from './inspect-release.ts'
import { openRelease } from './open-release.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

const reviewFindings = 500

/** How an index is checked. */
interface CheckOptions {
  /** The folder of the index that this one is to replace: only what is new is opened, and nothing published may have changed. */
  readonly base?: string
  /** A folder for what is unpacked. */
  readonly scratch: string
  /** Now unless given. */
  readonly now?: Date
  /** No reviews are written. */
  readonly isDryRun?: boolean
  readonly onRelease?: (name: string, version: string, done: number, total: number) => void
}

/** What the check of an index found. */
export interface IndexCheck {
  /** Errors first. */
  readonly findings: readonly IndexFinding[]
  /** The releases that were opened, each compared with the one before it. */
  readonly comparisons: readonly ReleaseComparison[]
  readonly releases: readonly { readonly name: string; readonly version: string }[]
}

/** Checks the folder of an index: forms, signatures, that what is published stays, and each release that is new from its zip to its load in a sandbox. */
export async function checkIndex(directory: string, options: CheckOptions): Promise<IndexCheck> {
  const { base: basePath, now = new Date() } = options
  const forms = await checkForms(directory)
  if (forms.length > 0) return { findings: forms, comparisons: [], releases: [] }
  const head = await readIndexFolder(directory)
  const base = basePath === undefined ? undefined : await readIndexFolder(basePath)
  const findings: IndexFinding[] = [
    ...(await checkChain(directory, now)),
    ...(base ? await checkHistory(base, head) : []),
  ]
  const comparisons: ReleaseComparison[] = []
  const news = listNew(head, base)
  for (const [done, { plugin, version }] of news.entries()) {
    options.onRelease?.(plugin.name, version.version, done + 1, news.length)
    const { found, comparison } = await checkOne(head, base, plugin, version, options.scratch)
    if (comparison) comparisons.push(comparison)
    findings.push(...found.map((each) => ({ ...each, plugin: plugin.name, version: version.version })))
    if (!options.isDryRun) await writeReview(directory, plugin.name, version.version, found, now)
  }
  const releases = news.map(({ plugin, version }) => ({ name: plugin.name, version: version.version }))
  return { findings: sortFindings(findings), comparisons, releases }
}

/** The releases that the base has not, or all; in the order in which they were published. */
function listNew(head: IndexFolder, base: IndexFolder | undefined) {
  return [...head.plugins.values()].flatMap((plugin) => {
    const known = new Set(base?.plugins.get(plugin.name)?.versions.map(({ version }) => version))
    return plugin.versions
      .filter(({ version }) => !known.has(version))
      .sort((a, b) => compare(a.version, b.version))
      .map((version) => ({ plugin, version }))
  })
}

async function checkOne(
  head: IndexFolder,
  base: IndexFolder | undefined,
  plugin: PluginFile,
  version: PluginVersion,
  scratch: string,
) {
  const { findings, release } = await checkRelease(head, plugin, version, scratch)
  if (!release) return { found: findings, comparison: undefined }
  const before = publishedBefore(plugin, version, base)
  const names = base ? base.plugins.keys() : olderNames(head, plugin.name)
  const around = { ...head, names, plugin: before, scratch }
  const found = sortFindings([...findings, ...(await inspectRelease(release.opened, around))])
  const last = before?.versions.toSorted((a, b) => compare(b.version, a.version))[0]
  const older = last && (await openRelease(head.directory, plugin.name, last, scratch).catch(() => undefined))
  return { found, comparison: older && compareReleases(older.opened, release.opened) }
}

/** What the index had of a plugin when a version of it came. */
function publishedBefore(
  plugin: PluginFile,
  version: PluginVersion,
  base: IndexFolder | undefined,
): PluginFile | undefined {
  const known = base?.plugins.get(plugin.name)?.versions.map((each) => each.version)
  const versions = plugin.versions.filter((each) =>
    known ? known.includes(each.version) : Date.parse(each.published) < Date.parse(version.published),
  )
  return versions.length === 0 ? undefined : { ...plugin, versions }
}

/** The names that came before one. */
function olderNames({ plugins }: IndexFolder, name: string): readonly string[] {
  const cameAt = (plugin: PluginFile | undefined): number =>
    Math.min(...(plugin?.versions ?? []).map(({ published }) => Date.parse(published)))
  const own = cameAt(plugins.get(name))
  return [...plugins.keys()].filter((other) => cameAt(plugins.get(other)) < own)
}

/** A review that says what the last one said is left as it is. */
async function writeReview(
  directory: string,
  name: string,
  version: string,
  findings: readonly ReviewFinding[],
  now: Date,
): Promise<void> {
  const path = `${pluginFolder(name)}review/${version}.json`
  const listed = findings.slice(0, reviewFindings)
  const review: ReviewFile = { format: 1, name, version, checked: now.toISOString(), findings: listed }
  const bytes = toStableJson(review)
  parseReviewFile(bytes)
  const before = await readPart(directory, path)
  if (before && isSameReview(before, review)) return
  await writeAtomic(join(directory, path), bytes)
}

function isSameReview(before: Buffer, review: ReviewFile): boolean {
  try {
    const { checked } = parseReviewFile(before)
    return before.equals(toStableJson({ ...review, checked }))
  } catch {
    return false
  }
}
