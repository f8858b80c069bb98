import { verifyPackage, type OpenedPackage, type TrustLevel } from '#marketplace'
import type { Knex } from 'knex'
import { PluginRow, type ReleaseRow } from '../shared/models.ts'
import type { Admission } from '../releases/incoming.ts'
import { SITE_TRUST } from '../releases/site-trust.ts'
import type { TrustPolicy } from '../trust/policy.ts'
import type { PublisherKeys } from '../trust/publisher-keys.ts'
import { ReleaseRevokedError } from '../revocations/errors.ts'
import { judgeRelease } from './judge-installed.ts'
import { publisherOf } from './publisher-of.ts'
import type { SourceSet } from './source-set.ts'

/** What admitting uploads stands on. */
export interface UploadAdmissionParts {
  readonly db: Knex
  readonly sources: SourceSet
  readonly keys: PublisherKeys
  readonly policy: TrustPolicy
}

/** Decides how far an upload is trusted: as far as the key that signed it, and without a signature as far as this site. */
export class UploadAdmission implements Admission {
  readonly #parts: UploadAdmissionParts

  constructor(parts: UploadAdmissionParts) {
    this.#parts = parts
  }

  /** Throws 400/4009 for a key that nobody knows, a release that was revoked, and what this site does not let in. */
  async admit(opened: OpenedPackage): Promise<TrustLevel> {
    const { keys, policy } = this.#parts
    const { name, version, publisher } = opened.manifest
    const { level, kid = null } = await verifyPackage(opened, keys.trustOf(publisher))
    const trust = level === 'unsigned' ? SITE_TRUST : level
    await policy.requireUpload(opened.manifest, trust)
    await this.requireNotRevoked({ name, version, kid, source: null })
    if (kid !== null) await keys.believe(publisher)
    return trust
  }

  /** Throws 400/4009 for a release that a source revoked which is heard about the plugin; a warning is no obstacle. */
  async requireNotRevoked(release: Pick<ReleaseRow, 'name' | 'version' | 'kid' | 'source'>): Promise<void> {
    const { db, sources, keys } = this.#parts
    const { name, version, kid, source } = release
    const plugin = await PluginRow.with(db).findOne({ name })
    const key = kid === null ? undefined : await keys.recognise(publisherOf(name), kid)
    const origins = [source, plugin?.source ?? null]
    const verdict = judgeRelease(sources.all, { name, version, kid, origins, key })
    if (!verdict || verdict.action === 'warn') return
    const { action, severity, reason: why, cve } = verdict
    throw new ReleaseRevokedError({ name, version, why }, { details: { action, severity, cve } })
  }
}
