import { LIMITS } from '#sandbox'
import type { PackageLimits } from './prescan.ts'

const megabyte = 1_048_576

/** The bounds of a package, unless the platform sets lower ones. */
export const packageLimits: PackageLimits = {
  zipBytes: LIMITS.zipBytes.max,
  unpackedBytes: LIMITS.unpackedBytes.max,
  files: LIMITS.files.max,
  ratio: LIMITS.ratio.max,
  nameBytes: LIMITS.nameBytes.max,
  depth: LIMITS.pathDepth.max,
  fileBytes: LIMITS.fileBytes.max,
  manifest: LIMITS.manifestBytes.max,
  entry: LIMITS.entryBytes.max,
  icon: LIMITS.iconBytes.max,
  readme: LIMITS.readmeBytes.max,
  locale: LIMITS.localeBytes.max,
  migration: LIMITS.migrationBytes.max,
  // What the longest entry, and the most files with the longest names, can need.
  sourceMap: 4 * megabyte,
  signature: megabyte,
  record: 2 * megabyte,
}
