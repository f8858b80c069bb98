import { openPackage, verifyPackage } from '#marketplace'
import type { IncomingRelease, PackageIndex, TakingTerms } from '../contract-packages.ts'
import type { PackagePolicy } from './package-policy.ts'
import type { Upload } from './receive-upload.ts'
import type { Staging } from './staging.ts'
import { siteTrust } from './site-trust.ts'

/** What decides about uploads. */
interface AdmitNeeds {
  readonly index: Pick<PackageIndex, 'trustOf' | 'believe' | 'requireNotRevoked'>
  readonly policy: Pick<PackagePolicy, 'requireUpload'>
  readonly operations: { readonly signal: AbortSignal }
}

/** What takes uploads in. */
export interface UploadNeeds extends AdmitNeeds {
  readonly staging: Staging
}

/**
 * Opens and verifies what an administrator uploads: it is trusted as far as the key that signed it, and without a signature as far
 * as this site. Throws 400/4009 for a key that nobody knows, a release that was revoked, and what this site does not let in.
 */
export async function admitUpload(
  { index, policy, operations }: AdmitNeeds,
  { zip, tree }: Pick<Upload, 'zip' | 'tree'>,
  { isTrial = false }: TakingTerms = {},
): Promise<IncomingRelease> {
  const opened = await openPackage(zip, tree, { signal: operations.signal })
  const { name, version, publisher } = opened.manifest
  const { level, kid = null } = await verifyPackage(opened, index.trustOf(publisher))
  const trust = level === 'unsigned' ? siteTrust : level
  await policy.requireUpload(opened.manifest, trust)
  await index.requireNotRevoked({ name, version, kid, source: null })
  if (kid !== null && !isTrial) await index.believe(publisher)
  return { opened, zip, trust, source: null, publisherSignature: opened.signature }
}
