export * from './errors.ts'
export { LicenseInvalidError } from './licence/errors.ts'
export { isLicence, LICENCE_LIMITS, type Licence } from './licence/licence.ts'
export { siteIdOf } from './licence/site-id.ts'
export { readLicence, signLicence, verifyLicence, type FindLicenceKey } from './licence/token.ts'
export { packPlugin, type Packed, type PackOptions } from './pack.ts'
export { iconSize, type ImageSize } from './package/icon-size.ts'
export { openPackage, type OpenOptions } from './package/open.ts'
export type { OpenedPackage } from './package/opened-package.ts'
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
export { isAtLeast, lowerOf, TRUST_LEVELS, type TrustLevel } from './package/trust-levels.ts'
export { parseCategoriesFile, type CategoriesFile, type Category } from './index-format/categories-file.ts'
export { IndexInvalidError, IndexUntrustedError } from './index-format/errors.ts'
export { isSafePath, isVersion } from './index-format/form.ts'
export { createIndexEntry, latestVersion, pluginFolder } from './index-format/index-entry.ts'
export {
  INDEX_SIDE_FILES,
  INDEX_TRUST,
  parseIndexFile,
  type Engines,
  type IndexEntry,
  type IndexFile,
  type IndexSideFile,
  type IndexTrust,
} from './index-format/index-file.ts'
export { INDEX_LIMITS } from './index-format/index-limits.ts'
export { parsePluginFile, type PluginFile, type PluginVersion, type Yanked } from './index-format/plugin-file.ts'
export * from './index-format/publishers-file.ts'
export { parseRatingsFile, type Rating, type RatingsFile } from './index-format/ratings-file.ts'
export { parseReviewFile, type ReviewFile, type ReviewFinding } from './index-format/review-file.ts'
export * from './index-format/revocations-file.ts'
export {
  createRoot,
  rootFingerprint,
  rotateRoot,
  verifyRoot,
  type RootContent,
  type SignedRoot,
  type TrustedRoot,
} from './index-format/root.ts'
export { parseIndexSignature, parseRootFile, type RootFile, type RootKey } from './index-format/root-file.ts'
export { signIndex, verifyIndex } from './index-format/sign-index.ts'
export * from './index-client/errors.ts'
export type * from './index-client/index-source.ts'
export type { StoredFile, StoredFileName, StoredSnapshot } from './index-client/stored-snapshot.ts'
export { openIndexSource } from './index-client/open-index-source.ts'
export { inSlices, type Sliced } from './in-slices.ts'
export { isLetIn, isListed } from './name-patterns.ts'
export { resolveVersions, type ResolvedVersion, type ResolvedVersions } from './index-client/resolve-versions.ts'
export { marketplaceTexts } from './texts/texts.ts'
export { renderMarkdown } from './index-client/render-markdown.ts'
export type { MarkdownOptions } from './index-client/markdown-to-html.ts'
