import { schemaParts } from '#sandbox'
import { satisfies, validRange } from 'semver'
import { createFileParser } from './file-parser.ts'
import { keyIdSchema, pluginNameSchema, rangeSchema } from './form.ts'
import { INDEX_LIMITS } from './index-limits.ts'

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
export interface RevokedKey {
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
  maxBytes: INDEX_LIMITS.revocationsBytes,
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
        INDEX_LIMITS.revocations,
      ),
      keys: list(object({ kid: keyIdSchema, reason: text(500) }, ['kid']), INDEX_LIMITS.revocations),
      licenses: list(text(100), INDEX_LIMITS.revocations),
    },
    ['format', 'plugins', 'keys', 'licenses'],
  ),
  findProblem({ plugins }) {
    const wrong = plugins.find(({ versions }) => validRange(versions) === null)
    return wrong && `${wrong.versions} is no range of versions`
  },
})

const SEVERITY: Readonly<Record<RevocationAction, number>> = { warn: 0, block_install: 1, disable: 2 }

/** The revocation of a release, or nothing; of several the one that asks for most. */
export function findRevocation(
  { plugins }: Pick<RevocationsFile, 'plugins'>,
  name: string,
  version: string,
): Revocation | undefined {
  return plugins
    .filter(({ plugin, versions }) => plugin === name && satisfies(version, versions, { includePrerelease: true }))
    .sort((a, b) => SEVERITY[b.action] - SEVERITY[a.action])[0]
}
