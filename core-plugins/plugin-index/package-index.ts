import type { Knex } from 'knex'
import type { Audit } from '../access/contract.ts'
import type { PackageIndex, PluginDirectory } from '../plugins/contract.ts'
import { findJudges } from './judging/find-judges.ts'
import { requireNotRevoked } from './judging/require-not-revoked.ts'
import { findRevocations, overrideRevocation, requireRunnable } from './judging/revocation-check.ts'
import { revokedLicences } from './judging/revoked-licences.ts'
import type { OfferFetcher } from './offers/offer-fetcher.ts'
import type { Updates } from './offers/updates.ts'
import type { PublisherKeys } from './publishers/publisher-keys.ts'
import type { SourceSet } from './sources/source-set.ts'

/** What the index answers from. */
interface PackageIndexParts {
  readonly db: Knex
  readonly audit: Audit
  readonly directory: PluginDirectory
  readonly sources: SourceSet
  readonly keys: PublisherKeys
  readonly fetcher: OfferFetcher
  readonly updates: Updates
}

/** What is known of packages and publishers, as it is asked when plugins are installed, changed and shown. */
export function createPackageIndex(parts: PackageIndexParts): PackageIndex {
  const { db, audit, keys, fetcher, updates } = parts
  return {
    find: (wanted) => fetcher.find(wanted),
    fetch: (wanted, terms) => fetcher.fetch(wanted, terms),
    trustOf: (publisher) => keys.trustOf(publisher),
    believe: (publisher) => keys.believe(publisher),
    requireNotRevoked: (release) => requireNotRevoked(parts, release),
    requireRunnable: (plugin) => requireRunnable(db, plugin),
    override: (plugin, actor) => overrideRevocation({ db, audit }, plugin, actor),
    findRevocations: (pluginIds) => findRevocations(db, pluginIds),
    findUpdates: (names) => updates.findUpdates(names),
    licences: {
      findKey: (publisher, kid) => keys.find(publisher, kid),
      judgesOf: (plugin, kid) => findJudges(parts, plugin, kid),
      revoked: () => revokedLicences(db),
    },
  }
}
