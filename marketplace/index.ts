export { PackageInvalidError, PackageSignatureError, ReleaseDamagedError } from './errors.ts'
export { packPlugin, type Packed, type PackOptions } from './pack.ts'
export { openPackage, type OpenedPackage, type OpenOptions } from './package/open.ts'
export { PACKAGE_LIMITS } from './package/package-limits.ts'
export type { PackageLimits } from './package/prescan.ts'
export {
  createSigningKey,
  parseSignature,
  publicHalfOf,
  signPackage,
  TRUST_LEVELS,
  verifyPackage,
  verifyRelease,
  type PackageSignature,
  type SigningKey,
  type Trust,
  type TrustedKey,
  type TrustLevel,
  type TrustStore,
} from './package/signature.ts'
export type { Statement } from './package/statement.ts'
export { ReleaseStore, type ExpectedRelease, type ReleaseFolders, type ReleaseReference } from './package/store.ts'
export { treeHash, type PackageFile } from './package/tree.ts'
