import { UnsupportedApiVersionError } from '../errors.ts'
import type { RequestContext } from './request-context.ts'

/** The versions of the interface that are answered, the current one first. */
export const apiVersions: readonly [string, ...string[]] = ['2026-11-21']

/** Echoes the version a caller asks for, and refuses one that does not exist. */
export function acceptVersion(ctx: RequestContext): void {
  const version = ctx.header('api-version')
  if (version === undefined) return
  if (!apiVersions.includes(version)) {
    throw new UnsupportedApiVersionError({ version: version.slice(0, 40) }, { details: { supported: apiVersions } })
  }
  ctx.pipelineHeaders['api-version'] = version
}
