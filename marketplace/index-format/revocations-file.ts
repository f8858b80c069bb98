import { schemaParts } from '#sandbox'
import { Range, SemVer, validRange } from 'semver'
import { createFileParser } from './file-parser.ts'
import { keyIdSchema, pluginNameSchema, rangeSchema } from './form.ts'
import { indexLimits } from './index-limits.ts'

const { list, matching, object, oneOf, text } = schemaParts

/** What a site does about a revoked release: say so, install it no more, or switch it off as well. */
export type RevocationAction = 'warn' | 'block_install' | 'disable'

/** Releases that should not run, and why. */
export interface Revocation {
  readonly plugin: string
  /** A range; prereleases in it are meant too. */
  readonly versions: string
  readonly severity: 'low' | 'medium' | 'high' | 'critical'
  readonly action: RevocationAction
  readonly reason: string
  readonly cve?: string
}

/** A publisher's key whose signatures count no more. */
interface RevokedKey {
  readonly kid: string
  readonly reason?: string
}

/** revocations.json */
export interface RevocationsFile {
  readonly format: 1
  readonly plugins: readonly Revocation[]
  readonly keys: readonly RevokedKey[]
  /** Licence tokens by their `jti`. */
  readonly licenses: readonly string[]
}

/** Reads revocations.json; throws IndexInvalidError. */
export const parseRevocationsFile = createFileParser<RevocationsFile>({
  file: 'revocations.json',
  maxBytes: indexLimits.revocationsBytes,
  maxDepth: 4,
  schema: object(
    {
      format: { const: 1 },
      plugins: list(
        object(
          {
            plugin: pluginNameSchema,
            versions: rangeSchema,
            severity: oneOf(['low', 'medium', 'high', 'critical']),
            action: oneOf(['warn', 'block_install', 'disable']),
            reason: text(500),
            cve: matching(/^CVE-[0-9]{4}-[0-9]{4,10}$/, 30),
          },
          ['plugin', 'versions', 'severity', 'action', 'reason'],
        ),
        indexLimits.revocations,
      ),
      keys: list(object({ kid: keyIdSchema, reason: text(500) }, ['kid']), indexLimits.revocations),
      licenses: list(text(100), indexLimits.revocations),
    },
    ['format', 'plugins', 'keys', 'licenses'],
  ),
  *searchProblem({ plugins }) {
    const counts = new Map<string, number>()
    for (const { plugin } of plugins) counts.set(plugin, (counts.get(plugin) ?? 0) + 1)
    const [most] = [...counts].find(([, count]) => count > indexLimits.revocationsOfPlugin) ?? []
    if (most !== undefined)
      return `${most} has more than ${indexLimits.revocationsOfPlugin} revocations: join their ranges`
    for (const { versions } of plugins) {
      yield
      if (validRange(versions) === null) return `${versions} is no range of versions`
    }
    return undefined
  },
})

const severity: Readonly<Record<RevocationAction, number>> = { warn: 0, block_install: 1, disable: 2 }

/** The revocation of a release, or nothing; of several the one that asks for most. */
export function findRevocation(
  file: Pick<RevocationsFile, 'plugins'>,
  name: string,
  version: string,
): Revocation | undefined {
  return compileRevocations(file, name)(version)
}

/** The same for many versions of one plugin: its ranges are read once. */
export function compileRevocations(
  { plugins }: Pick<RevocationsFile, 'plugins'>,
  name: string,
): (version: string) => Revocation | undefined {
  const ranges = plugins
    .filter(({ plugin }) => plugin === name)
    .sort((a, b) => severity[b.action] - severity[a.action])
    .map((revocation) => ({ revocation, range: new Range(revocation.versions, { includePrerelease: true }) }))
  return (version) => {
    const parsed = ranges.length > 0 ? new SemVer(version) : undefined
    return parsed && ranges.find(({ range }) => range.test(parsed))?.revocation
  }
}
