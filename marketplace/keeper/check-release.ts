import { isDeepStrictEqual } from 'node:util'
import type { PluginFile, PluginVersion } from '../index-format/plugin-file.ts'
import type { ReviewFinding } from '../index-format/review-file.ts'
import { describePlugin, describeVersion, newestVersion } from './describe-version.ts'
import { FetchFailure } from './fetch-file.ts'
import { readPart, sha256Of, type IndexFolder } from './index-folder.ts'
import { pluginFolder } from '../index-format/index-entry.ts'
import { refusalOf } from './inspect-release.ts'
import { openRelease, type IndexedRelease } from './open-release.ts'
import { isShown } from './page-files.ts'

/** What no package says: it is the index's own. */
const own: ReadonlySet<string> = new Set(['url', 'published', 'yanked', 'hostTested', 'versions', 'files'])

/** What became of opening a release of an index. */
interface CheckedRelease {
  readonly findings: readonly ReviewFinding[]
  /** Undefined when it could not be opened. */
  readonly release: IndexedRelease | undefined
}

/** Opens a release of an index and holds it against what plugin.json says of it. */
export async function checkRelease(
  { directory }: IndexFolder,
  plugin: PluginFile,
  version: PluginVersion,
  scratch: string,
): Promise<CheckedRelease> {
  let release: IndexedRelease | undefined
  const refusals = await refusalOf('package', async () => {
    release = await openRelease(directory, plugin.name, version, scratch)
  }).catch((error: unknown): readonly ReviewFinding[] => {
    if (!(error instanceof FetchFailure)) throw error
    return [{ level: 'error', rule: 'package_unreachable', message: error.message }]
  })
  if (refusals.length > 0) return { findings: refusals, release: undefined }
  if (!release)
    return { findings: [{ level: 'error', rule: 'package_missing', message: `There is no ${version.url}.` }], release }
  return { findings: await compareWithEntry(directory, plugin, version, release), release }
}

async function compareWithEntry(
  directory: string,
  plugin: PluginFile,
  version: PluginVersion,
  { opened }: IndexedRelease,
): Promise<readonly ReviewFinding[]> {
  const { manifest } = opened
  if (manifest.name !== plugin.name || manifest.version !== version.version)
    return [{ level: 'error', rule: 'entry_differs', message: `The package is ${manifest.name} ${manifest.version}.` }]
  const findings = differences('entry_differs', await describeVersion(opened), version, 'The package says otherwise of')
  if (newestVersion(plugin.versions) !== version.version) return findings
  return [
    ...findings,
    ...differences('about_differs', describePlugin(manifest), plugin, 'The newest package says otherwise of'),
    ...(await comparePages(directory, plugin.name, opened.files)),
  ]
}

function differences(rule: string, packaged: object, listed: object, words: string): readonly ReviewFinding[] {
  const [one, other] = [packaged, listed].map(
    (value) => JSON.parse(JSON.stringify(value)) as Readonly<Record<string, unknown>>,
  )
  const fields = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].filter(
    (field) => !own.has(field) && !isDeepStrictEqual(one?.[field], other?.[field]),
  )
  return fields.length === 0
    ? []
    : [{ level: 'error', rule, file: 'plugin.json', message: `${words} ${fields.sort().join(', ')}.` }]
}

async function comparePages(
  directory: string,
  name: string,
  files: IndexedRelease['opened']['files'],
): Promise<readonly ReviewFinding[]> {
  const findings: ReviewFinding[] = []
  for (const { path, sha256 } of files.filter(({ path }) => isShown(path))) {
    const bytes = await readPart(directory, pluginFolder(name) + path)
    if (bytes && sha256Of(bytes) === sha256) continue
    findings.push({
      level: 'warning',
      rule: 'page_differs',
      file: path,
      message: 'The index shows another file than the newest package has.',
    })
  }
  return findings
}
