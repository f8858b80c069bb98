import { verifyPackage, type OpenedPackage, type TrustLevel } from '#marketplace'
import type { ReleaseRow } from '../models.ts'
import type { Admission } from '../releases/incoming.ts'
import { SITE_TRUST } from '../releases/site-trust.ts'
import type { TrustPolicy } from '../trust/policy.ts'
import type { PublisherKeys } from '../trust/publisher-keys.ts'
import { ReleaseRevokedError } from './errors.ts'
import { judgeRelease } from './judge-installed.ts'
import type { SourceSet } from './source-set.ts'

/** Decides how far an upload is trusted: as far as the key that signed it, and without a signature as far as this site. */
export class UploadAdmission implements Admission {
  readonly #sources: SourceSet
  readonly #keys: PublisherKeys
  readonly #policy: TrustPolicy

  constructor(sources: SourceSet, keys: PublisherKeys, policy: TrustPolicy) {
    this.#sources = sources
    this.#keys = keys
    this.#policy = policy
  }

  /** Throws 400/4009 for a key that nobody knows, a release that was revoked, and what this site does not let in. */
  async admit(opened: OpenedPackage): Promise<TrustLevel> {
    const { name, version, publisher } = opened.manifest
    const { level, kid = null } = await verifyPackage(opened, this.#keys.trustOf(publisher))
    const trust = level === 'unsigned' ? SITE_TRUST : level
    await this.#policy.requireUpload(opened.manifest, trust)
    this.requireNotRevoked({ name, version, kid, source: null })
    return trust
  }

  /** Throws 400/4009 for a release that its source revoked, or any source where it was uploaded; a warning is no obstacle. */
  requireNotRevoked({ name, version, kid, source }: Pick<ReleaseRow, 'name' | 'version' | 'kid' | 'source'>): void {
    const verdict = judgeRelease(this.#sources.all, { source }, { name, version, kid })
    if (!verdict || verdict.action === 'warn') return
    const { action, severity, reason: why, cve } = verdict
    throw new ReleaseRevokedError({ name, version, why }, { details: { action, severity, cve } })
  }
}
