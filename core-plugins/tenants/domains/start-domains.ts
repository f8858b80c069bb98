import type { Route, Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { DeliveryChanges } from '../../mail/contract.ts'
import { tenantsDomainFailed } from '../contract.ts'
import { DomainChallenges } from './challenge.ts'
import { createDomainLookup } from './dns-lookup.ts'
import { DomainChecker } from './domain-checker.ts'
import { DomainService } from './domain-service.ts'
import { DomainStore } from './domain-store.ts'
import { startPoller } from './poller.ts'
import { domainRoutes } from './routes.ts'
import { tellOwners, type TellingParts } from './tell-owners.ts'

/** What domains stand on. */
interface DomainNeeds extends TellingParts {
  readonly config: ConfigReader
  readonly audit: Audit
  readonly delivery: DeliveryChanges
  readonly jobs: Jobs
}

/** Starts the checks of tenants' domains and answers their endpoints. */
export function startDomains(
  scope: Scope,
  { config, audit, delivery, jobs, ...telling }: DomainNeeds,
): readonly Route[] {
  const store = new DomainStore(scope.db)
  const challenges = new DomainChallenges(scope.secrets, config)
  const lookUp = createDomainLookup(scope.env.dnsServers)
  const checker = new DomainChecker({ scope, store, challenges, lookUp, audit, delivery })
  startPoller({ scope, jobs, store, checker, audit })
  scope.on(tenantsDomainFailed, (loss) => tellOwners(telling, loss))
  const rules = { config, publicUrl: scope.env.publicUrl }
  const leading = { access: telling.access, delivery }
  return domainRoutes(new DomainService({ scope, store, checker, challenges, lookUp, audit, rules, leading }))
}
