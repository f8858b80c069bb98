import { LIMITS } from '#sandbox'
import type { PackageLimits } from './prescan.ts'

/** The bounds of a package, unless the platform sets lower ones. */
export const PACKAGE_LIMITS: PackageLimits = {
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
  migration: LIMITS.migrationBytes.max,
}
