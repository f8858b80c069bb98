export * from './errors.ts'
export { LicenseInvalidError } from './licence/errors.ts'
export type { Licence } from './licence/licence.ts'
export { siteIdOf } from './licence/site-id.ts'
export { readLicence, signLicence, verifyLicence } from './licence/token.ts'
export { packPlugin } from './pack.ts'
export { iconSize } from './package/icon-size.ts'
export { openPackage } from './package/open.ts'
export type { OpenedPackage } from './package/opened-package.ts'
export { packageLimits } from './package/package-limits.ts'

export {
  createSigningKey,
  publicHalfOf,
  signPackage,
  verifyPackage,
  verifyRelease,
  type PackageSignature,
  type SigningKey,
  type TrustedKey,
  type TrustStore,
} from './package/signature.ts'
export { ReleaseStore } from './package/store.ts'
export { treeHash } from './package/tree.ts'
export { isAtLeast, lowerOf, trustLevels, type TrustLevel } from './package/trust-levels.ts'
export { parseCategoriesFile } from './index-format/categories-file.ts'

export { createIndexEntry, latestVersion, pluginFolder } from './index-format/index-entry.ts'
export { parseIndexFile, type IndexFile } from './index-format/index-file.ts'

export { parsePluginFile, type PluginFile, type PluginVersion } from './index-format/plugin-file.ts'
export { parsePublishersFile, findPublisher } from './index-format/publishers-file.ts'
export { parseRatingsFile } from './index-format/ratings-file.ts'
export { parseReviewFile } from './index-format/review-file.ts'
export {
  type RevocationAction,
  type Revocation,
  type RevocationsFile,
  parseRevocationsFile,
  findRevocation,
} from './index-format/revocations-file.ts'
export { createRoot, rootFingerprint, rotateRoot, verifyRoot, type SignedRoot } from './index-format/root.ts'
export { parseIndexSignature, parseRootFile } from './index-format/root-file.ts'
export { signIndex, verifyIndex } from './index-format/sign-index.ts'
export { IndexFileNotFoundError } from './index-client/errors.ts'
export type {
  IndexSourceOptions,
  IndexCache,
  IndexSummary,
  SourceFailure,
  IndexImage,
  IndexSource,
} from './index-client/index-source.ts'
export type { StoredFile, StoredFileName, StoredSnapshot } from './index-client/stored-snapshot.ts'
export { openIndexSource } from './index-client/open-index-source.ts'
export { inSlices } from './in-slices.ts'
export { isLetIn, isListed } from './name-patterns.ts'
export { channelOf } from './index-format/channel.ts'
export { resolveVersions, type ResolvedVersion, type ResolvedVersions } from './index-client/resolve-versions.ts'
export { marketplaceTexts } from './texts/texts.ts'
export { renderMarkdown } from './index-client/render-markdown.ts'
