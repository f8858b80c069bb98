import { createGuardedFetch, tenantsDeleted, type Scope } from '#kernel'
import { firstRunDemoSeeded } from '../first-run/contract.ts'
import { knowledgeContributor } from './answers/contributor.ts'
import { baseRoutes } from './bases/routes.ts'
import { BaseService } from './bases/service.ts'
import { UserBases } from './bases/user-bases.ts'
import { knowledgeRetrieval } from './contract.ts'
import { seedDemo } from './demo-seed.ts'
import { documentRoutes } from './documents/routes.ts'
import { DocumentService } from './documents/service.ts'
import { eraseTenant } from './erasure.ts'
import { createIndexJob } from './indexing/index-job.ts'
import { mostDocumentBytes } from './limits.ts'
import type { KnowledgeNeeds } from './needs.ts'
import { Retrieval } from './retrieval/retrieval.ts'
import { searchRoutes } from './retrieval/routes.ts'

/** Opens knowledge bases: their administration, indexing, and looking in them. */
export function setupKnowledge(scope: Scope, needs: KnowledgeNeeds): void {
  const { db, env, log } = scope
  const { access, agents, contributors, files, jobs, tenants } = needs
  const http = scope.use(createGuardedFetch({ ...env, limits: { responseBytes: mostDocumentBytes } }))
  const retrieval = new Retrieval(db, access)
  scope.provide(knowledgeRetrieval, retrieval)
  scope.use(contributors.register(knowledgeContributor(retrieval)))
  scope.use(jobs.register(createIndexJob({ db, log, files, http })))
  scope.route(...baseRoutes(new BaseService({ db, ...needs }), new UserBases(db, access, agents)))
  scope.route(...documentRoutes(new DocumentService({ db, ...needs })), ...searchRoutes(retrieval))
  scope.on(firstRunDemoSeeded, () => seedDemo(db, tenants, jobs))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
}
