import { isDeepStrictEqual } from 'node:util'
import { pluginFolder } from '../index-format/index-entry.ts'
import type { PluginVersion } from '../index-format/plugin-file.ts'
import type { Publisher, PublishersFile } from '../index-format/publishers-file.ts'
import type { IndexFinding } from './index-finding.ts'
import { readPart, sha256Of, type IndexFolder } from './index-folder.ts'

/**
 * Compares an index with the one it is to replace: what is published never changes and never goes, but for being yanked and for the hosts
 * it was tested on; keys and revocations that go are for a reviewer to see.
 */
export async function checkHistory(base: IndexFolder, head: IndexFolder): Promise<readonly IndexFinding[]> {
  return [
    ...checkReleases(base, head),
    ...(await checkBytes(base, head)),
    ...checkKeys(base, head),
    ...checkRevocations(base, head),
  ]
}

/** Packages that are published and lie in the index still have the bytes that it lists. */
async function checkBytes(base: IndexFolder, head: IndexFolder): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  for (const [plugin, { versions }] of base.plugins) {
    for (const { version, url, sha256 } of versions) {
      if (url.includes(':') || !head.plugins.has(plugin)) continue
      const file = `${pluginFolder(plugin)}${url}`
      const bytes = await readPart(head.directory, file)
      const about = { level: 'error', plugin, version, file } as const
      if (!bytes) findings.push({ ...about, rule: 'package_missing', message: 'It was published and is gone.' })
      else if (sha256Of(bytes) !== sha256)
        findings.push({ ...about, rule: 'package_changed', message: 'It was published with other bytes.' })
    }
  }
  return findings
}

function checkReleases(base: IndexFolder, head: IndexFolder): readonly IndexFinding[] {
  const findings: IndexFinding[] = []
  for (const [plugin, { versions }] of base.plugins) {
    const now = new Map(head.plugins.get(plugin)?.versions.map((each) => [each.version, each]))
    for (const published of versions) {
      const { version } = published
      const found = now.get(version)
      const about = { level: 'error', plugin, version } as const
      if (!found)
        findings.push({ ...about, rule: 'version_removed', message: 'It was published and is gone: yank it instead.' })
      else if (!isDeepStrictEqual(fixedPart(published), fixedPart(found)))
        findings.push({
          ...about,
          rule: 'version_changed',
          message: 'It was published with other content, and that never changes: publish a new version.',
        })
    }
  }
  return findings
}

/** What of a published version stands for ever. */
function fixedPart(version: PluginVersion): unknown {
  return structuredClone({ ...version, yanked: null, hostTested: [] })
}

function checkKeys(base: IndexFolder, head: IndexFolder): readonly IndexFinding[] {
  const findings = [...comparePublishers(base.publishers, head.publishers)]
  const [before, after] = [base.publishers.serial, head.publishers.serial]
  if (before !== undefined && findings.length > 0 && (after ?? 0) <= before)
    findings.push({
      ...{ level: 'error', rule: 'publishers_serial', file: 'publishers.json' },
      message: `It changed, and its serial must be more than ${before}: clients refuse it.`,
    })
  return findings
}

/** What a list of publishers changes of another, for who has to look at it. */
export function comparePublishers(base: PublishersFile, head: PublishersFile): readonly IndexFinding[] {
  const findings: IndexFinding[] = []
  const file = 'publishers.json'
  const [before, after] = [base.publishers, head.publishers]
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]]
    const warn = (rule: string, message: string): void => void findings.push({ level: 'warning', rule, file, message })
    if (!now) warn('publisher_removed', `${name} is a publisher no more.`)
    else if (!old)
      warn(
        'publisher_added',
        `${name} becomes a publisher, ${now.level}, with ${now.keys.map(({ kid }) => kid).join(', ')}.`,
      )
    else if (!isDeepStrictEqual(structuredClone(old.keys), structuredClone(now.keys)))
      warn('publisher_keys', `${name} signs with ${keysOf(now, old)} instead of ${keysOf(old, now)}.`)
    if (old && now && old.level !== now.level)
      warn('publisher_level', `${name} becomes ${now.level} instead of ${old.level}.`)
    if (old && now && (old.title !== now.title || old.homepage !== now.homepage))
      warn(
        'publisher_about',
        `${name} has another title or homepage: ${now.title ?? 'none'}, ${now.homepage ?? 'none'}.`,
      )
  }
  return findings
}

/** The ids of keys; where another list has another key of this id, with what tells them apart. */
function keysOf({ keys }: Publisher, other: Publisher): string {
  return keys
    .map(({ kid, publicKey }) => {
      const isAmbiguous = other.keys.some((each) => each.kid === kid && each.publicKey !== publicKey)
      return isAmbiguous ? `${kid} (${publicKey})` : kid
    })
    .join(', ')
}

function checkRevocations(base: IndexFolder, head: IndexFolder): readonly IndexFinding[] {
  const lines = ({ revocations }: IndexFolder): readonly string[] => [
    ...revocations.plugins.map(({ plugin, versions, action }) => `${plugin} ${versions} (${action})`),
    ...revocations.keys.map(({ kid }) => `the key ${kid}`),
    ...revocations.licenses.map((jti) => `the licence ${jti}`),
  ]
  const kept = new Set(lines(head))
  return lines(base)
    .filter((line) => !kept.has(line))
    .map((line) => ({
      level: 'warning',
      rule: 'revocation_removed',
      file: 'revocations.json',
      message: `${line} is revoked no more.`,
    }))
}
