import { tenantsDeleted, type Scope } from '#kernel'
import { usersDeleted } from '../users/contract.ts'
import { memoryPreferences } from './declared/preferences.ts'
import { eraseTenant, forgetUser } from './erasure.ts'
import { createExtractJob } from './learning/extract-job.ts'
import type { MemoryNeeds } from './needs.ts'
import { MemoryContributor } from './contributor.ts'
import { sweep } from './retention.ts'
import { Switches } from './switches.ts'
import { ConversationMemory } from './user/conversation-memory.ts'
import { Memories } from './user/memories.ts'
import { memoryRoutes } from './user/routes.ts'

const sweepMs = 3_600_000

/** Has agents remember: what they are told, what they learn, and what users see and correct of it. */
export function setupMemory(scope: Scope, needs: MemoryNeeds): void {
  const { db, log } = scope
  const { agents, config, contributors, conversations, gateway, jobs, preferences, tenants, users } = needs
  scope.use(needs.preferenceCatalogue.register(memoryPreferences))
  const switches = new Switches(config, preferences)
  const ofConversation = new ConversationMemory({ db, agents, conversations, switches })
  const isOnFor: Switches['isOnFor'] = (owner) => switches.isOnFor(owner)
  scope.use(jobs.register(createExtractJob({ db, gateway, config, conversations, isOnFor, tenants, users })))
  const deleted: ConversationMemory['deleted'] = (...given) => ofConversation.deleted(...given)
  const note: typeof conversations.note = (...given) => conversations.note(...given)
  const told = { db, log, gateway, jobs, switches, note, deleted, tenants, users }
  scope.use(contributors.register(new MemoryContributor(told)))
  scope.route(...memoryRoutes(new Memories(db), ofConversation))
  scope.every(sweepMs, () => sweep(db, config))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
  scope.on(usersDeleted, (user) => forgetUser(db, user))
}
