import type { Route, Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import { DomainChallenges } from './challenge.ts'
import { createDomainLookup } from './dns-lookup.ts'
import { DomainChecker } from './domain-checker.ts'
import { DomainService } from './domain-service.ts'
import { DomainStore } from './domain-store.ts'
import { startPoller } from './poller.ts'
import { domainRoutes } from './routes.ts'

/** Starts the checks of tenants' domains and answers their endpoints. */
export function startDomains(scope: Scope, config: ConfigReader, audit: Audit): readonly Route[] {
  const store = new DomainStore(scope.db)
  const challenges = new DomainChallenges(scope.secrets, config)
  const lookUp = createDomainLookup(scope.env.dnsServers)
  const checker = new DomainChecker({ scope, store, challenges, lookUp, audit })
  startPoller({ scope, store, checker, audit })
  const rules = { config, publicUrl: scope.env.publicUrl }
  return domainRoutes(new DomainService({ scope, store, checker, challenges, lookUp, audit, rules }))
}
