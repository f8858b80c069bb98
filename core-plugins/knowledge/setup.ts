import { createGuardedFetch, tenantsDeleted, type Scope } from '#kernel'
import { namesIn } from '../access/contract.ts'
import { firstRunDemoSeeded } from '../first-run/contract.ts'
import { knowledgeContributor } from './answers/contributor.ts'
import { baseRoutes } from './bases/routes.ts'
import { BaseService } from './bases/service.ts'
import { UserBases } from './bases/user-bases.ts'
import { knowledgeLibrary, knowledgeRetrieval } from './contract.ts'
import { seedDemo } from './demo-seed.ts'
import { Library } from './documents/library.ts'
import { documentRoutes } from './documents/routes.ts'
import { DocumentService } from './documents/service.ts'
import { eraseTenant } from './erasure.ts'
import { createIndexJob } from './indexing/index-job.ts'
import { mostDocumentBytes } from './limits.ts'
import type { KnowledgeNeeds } from './needs.ts'
import { Retrieval } from './retrieval/retrieval.ts'
import { searchRoutes } from './retrieval/routes.ts'
import { SimilarSearch } from './retrieval/similar-search.ts'
import { KnowledgeBaseRow } from './tables.ts'
import { keepUpVectors } from './vectors/catch-up.ts'
import { createEmbedJob } from './vectors/embed-job.ts'
import { dropOldIndexes } from './vectors/vector-index.ts'
import { findVectorSupport } from './vectors/vector-support.ts'

/** How often indexes of what is gone are looked for. */
const oldIndexesMs = 10 * 60_000

/** Opens knowledge bases: their administration, indexing, and looking in them. */
export async function setupKnowledge(scope: Scope, needs: KnowledgeNeeds): Promise<void> {
  const { db, env, locks, log } = scope
  const { access, agents, contributors, files, gateway, health, jobs, tenants } = needs
  const vectors = await findVectorSupport(db, log)
  const hasVectors = vectors === 'available'
  scope.use(health.register('knowledge', () => ({ status: 'healthy', vectors })))
  const http = scope.use(createGuardedFetch({ ...env, limits: { responseBytes: mostDocumentBytes } }))
  const similar = new SimilarSearch({ db, log, gateway, isAvailable: hasVectors })
  const retrieval = new Retrieval({ db, access, audit: needs.audit, similar })
  scope.provide(knowledgeLibrary, new Library(db, access))
  scope.provide(knowledgeRetrieval, retrieval)
  scope.use(contributors.register(knowledgeContributor(retrieval)))
  scope.use(jobs.register(createIndexJob({ db, log, files, http, jobs, hasVectors })))
  if (hasVectors) scope.use(jobs.register(createEmbedJob({ db, log, locks, gateway })))
  scope.every(oldIndexesMs, () => (hasVectors ? dropOldIndexes({ db, log, locks }) : undefined))
  await keepUpVectors(scope, hasVectors, db, gateway, jobs)
  const bases = new BaseService({ db, ...needs, hasVectors })
  scope.route(...baseRoutes(bases, new UserBases({ db, access, agents, hasVectors })))
  scope.route(...documentRoutes(new DocumentService({ db, ...needs })), ...searchRoutes(retrieval))
  scope.use(needs.audit.nameTargets('knowledge_base', namesIn(KnowledgeBaseRow, db)))
  scope.on(firstRunDemoSeeded, () => seedDemo(db, tenants, jobs))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
}
