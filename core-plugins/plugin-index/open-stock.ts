import { createGuardedFetch, type Scope } from '#kernel'
import type { SigningKey } from '#marketplace'
import type { Audit } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import { TrustPolicy } from '../trust/policy.ts'
import { PublisherKeys } from '../trust/publisher-keys.ts'
import { keysOf } from './source-keys.ts'
import { SourceSet } from './source-set.ts'
import { UploadAdmission } from './upload-admission.ts'

/** What is known of sources and publishers, and what follows for packages. */
export interface MarketplaceStock {
  readonly sources: SourceSet
  readonly keys: PublisherKeys
  readonly policy: TrustPolicy
  readonly admission: UploadAdmission
}

/** Makes what decides about packages; the sources are known once they were followed. */
export function openMarketplace(
  scope: Scope,
  { settings, audit }: { readonly settings: ConfigReader; readonly audit: Audit },
  siteKey: SigningKey,
): MarketplaceStock {
  const { db, secrets, env } = scope
  const { egressAllowPrivate, dnsServers, pluginDev: isDevelopment } = env
  const fetch = scope.use(createGuardedFetch({ egressAllowPrivate, dnsServers }))
  const sources = new SourceSet({ db, secrets, fetch })
  const keys = new PublisherKeys(db, audit, siteKey, keysOf(sources))
  const policy = new TrustPolicy(settings, { isDevelopment })
  return { sources, keys, policy, admission: new UploadAdmission({ db, sources, keys, policy }) }
}
