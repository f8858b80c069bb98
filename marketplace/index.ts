export { PackageInvalidError, PackageSignatureError, ReleaseDamagedError } from './errors.ts'
export { LicenseInvalidError } from './licence/errors.ts'
export { isLicence, LICENCE_LIMITS, type Licence } from './licence/licence.ts'
export { siteIdOf } from './licence/site-id.ts'
export { readLicence, signLicence, verifyLicence, type FindLicenceKey } from './licence/token.ts'
export { packPlugin, type Packed, type PackOptions } from './pack.ts'
export { openPackage, type OpenedPackage, type OpenOptions } from './package/open.ts'
export { PACKAGE_LIMITS } from './package/package-limits.ts'
export type { PackageLimits } from './package/prescan.ts'
export {
  createSigningKey,
  parseSignature,
  publicHalfOf,
  signPackage,
  verifyPackage,
  verifyRelease,
  type PackageSignature,
  type SigningKey,
  type Trust,
  type TrustedKey,
  type TrustStore,
} from './package/signature.ts'
export type { Statement, StatementExtras } from './package/statement.ts'
export { ReleaseStore, type ExpectedRelease, type ReleaseFolders, type ReleaseReference } from './package/store.ts'
export { treeHash, type PackageFile } from './package/tree.ts'
export { TRUST_LEVELS, type TrustLevel } from './package/trust-levels.ts'
