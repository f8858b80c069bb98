import { AppError } from '#kernel'
import { compare, lt, major, minor } from 'semver'
import { findPublisher, findPublisherKey, type PublishersFile } from '../index-format/publishers-file.ts'
import type { PluginFile } from '../index-format/plugin-file.ts'
import type { RevocationsFile } from '../index-format/revocations-file.ts'
import type { ReviewFinding } from '../index-format/review-file.ts'
import { lintFolder } from '../lint/lint-folder.ts'
import type { OpenedPackage } from '../package/opened-package.ts'
import { verifyPackage } from '../package/signature.ts'
import { checkLoad } from './check-load.ts'
import { checkName } from './name-distance.ts'

/** What a release is held against. */
interface ReleaseSurroundings {
  readonly publishers: PublishersFile
  readonly revocations: RevocationsFile
  /** The names that the index has. */
  readonly names: Iterable<string>
  /** What the index has of this plugin already, without this release. */
  readonly plugin: PluginFile | undefined
  /** A folder for what the check needs. */
  readonly scratch: string
}

/** Looks through a release that is new in an index: who signed it, its version and name, what its code does, and whether it loads. */
export async function inspectRelease(
  opened: OpenedPackage,
  around: ReleaseSurroundings,
): Promise<readonly ReviewFinding[]> {
  const { name, version } = opened.manifest
  const findings = [
    ...(await checkSignature(opened, around)),
    ...checkGrowth(version, around.plugin),
    ...(around.plugin ? [] : checkName(name, around.names)),
    ...(await lint(opened)),
  ]
  // What is refused anyway is not run.
  if (findings.some(({ level }) => level === 'error')) return findings
  return [...findings, ...(await refusalOf('load', () => checkLoad(opened, around.scratch)))]
}

/** Whether a key that is registered for the publisher, and not revoked, signed this very package. */
async function checkSignature(
  opened: OpenedPackage,
  { publishers, revocations }: Pick<ReleaseSurroundings, 'publishers' | 'revocations'>,
): Promise<readonly ReviewFinding[]> {
  const { publisher } = opened.manifest
  if (!findPublisher(publishers, publisher))
    return [
      error(
        'publisher_unknown',
        `${publisher} is no publisher of this index: its keeper adds it with stoa index add-publisher.`,
      ),
    ]
  const kid = opened.signature?.kid
  if (kid === undefined) return [error('unsigned', 'It is not signed: stoa sign does that.')]
  if (revocations.keys.some((key) => key.kid === kid)) return [error('key_revoked', `The key ${kid} is revoked.`)]
  return refusalOf('signature', async () => {
    await verifyPackage(opened, {
      findKey: (kid) => Promise.resolve(findPublisherKey(publishers, kid)),
    })
  })
}

/** A version that is published already, or older than its line: the newest of the same major and minor, or of all. */
function checkGrowth(version: string, plugin: PluginFile | undefined): readonly ReviewFinding[] {
  const published = (plugin?.versions ?? []).map((each) => each.version).sort(compare)
  if (published.includes(version))
    return [error('version_taken', `${version} is published already, and never changes.`)]
  const line = published.filter((each) => major(each) === major(version) && minor(each) === minor(version))
  const newest = line.at(-1) ?? published.at(-1)
  if (newest === undefined || lt(newest, version)) return []
  return [error('version_not_newer', `${version} is older than ${newest}, which is published.`)]
}

/** What it comes to: nothing, or the refusal it throws as a finding. */
export async function refusalOf(rule: string, work: () => Promise<unknown>): Promise<readonly ReviewFinding[]> {
  try {
    await work()
    return []
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    const faults = (cause.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    const file = cause.details?.['path']
    return [
      {
        ...error(rule, [cause.message, ...faults].join('; ').slice(0, 1_000)),
        ...(typeof file === 'string' ? { file: file.slice(0, 200) } : {}),
      },
    ]
  }
}

/** A lint of bundled code is for a reviewer to weigh: what it takes for a mistake may be a package's branch for another place. */
async function lint({ directory }: OpenedPackage): Promise<readonly ReviewFinding[]> {
  const findings = await lintFolder(directory)
  return findings.map(({ rule, file, line, message }) => ({ level: 'warning', rule, file, line, message }))
}

function error(rule: string, message: string): ReviewFinding {
  return { level: 'error', rule, message }
}
