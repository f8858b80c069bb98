import { sandboxLimits } from '#sandbox'
import type { PackageLimits } from './prescan.ts'

const megabyte = 1_048_576

/** The bounds of a package, unless the platform sets lower ones. */
export const packageLimits: PackageLimits = {
  zipBytes: sandboxLimits.zipBytes.max,
  unpackedBytes: sandboxLimits.unpackedBytes.max,
  files: sandboxLimits.files.max,
  ratio: sandboxLimits.ratio.max,
  nameBytes: sandboxLimits.nameBytes.max,
  depth: sandboxLimits.pathDepth.max,
  fileBytes: sandboxLimits.fileBytes.max,
  manifest: sandboxLimits.manifestBytes.max,
  entry: sandboxLimits.entryBytes.max,
  icon: sandboxLimits.iconBytes.max,
  readme: sandboxLimits.readmeBytes.max,
  locale: sandboxLimits.localeBytes.max,
  migration: sandboxLimits.migrationBytes.max,
  // What the longest entry, and the most files with the longest names, can need.
  sourceMap: 4 * megabyte,
  signature: megabyte,
  record: 2 * megabyte,
}
