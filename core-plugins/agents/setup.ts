import { tenantsDeleted, type Scope } from '#kernel'
import { namesIn } from '../access/contract.ts'
import { firstRunDemoSeeded } from '../first-run/contract.ts'
import { usersDeleted } from '../users/contract.ts'
import { Publishing } from './admin/publishing.ts'
import { adminRoutes } from './admin/routes.ts'
import { AgentService } from './admin/service.ts'
import { ToolList } from './admin/tool-list.ts'
import { agentsNaming } from './admin/agents-naming.ts'
import { agentDirectory, agentToolSources } from './contract.ts'
import { seedDemo } from './demo-seed.ts'
import { eraseTenant, forgetUser } from './erasure.ts'
import type { AgentNeeds } from './needs.ts'
import { AgentRow } from './tables.ts'
import { ToolOffers } from './tool-offers.ts'
import { Directory } from './user/directory.ts'
import { userRoutes } from './user/routes.ts'

/** Opens the administration of agents and the user area. */
export function setupAgents(scope: Scope, needs: AgentNeeds): void {
  const { access, audit, gateway, users, tenants } = needs
  const { db } = scope
  const tools = new ToolOffers(needs.tools)
  const parts = { db, access, audit, gateway, tools, users, tenants }
  const directory = new Directory({ db, access, gateway, tools })
  scope.provide(agentDirectory, directory)
  scope.provide(agentToolSources, tools)
  scope.route(
    ...adminRoutes(new AgentService(parts), new Publishing(parts), new ToolList(parts)),
    ...userRoutes(directory),
  )
  scope.use(audit.nameTargets('ai_agent', namesIn(AgentRow, db)))
  scope.use(needs.modelUsers.register({ kind: 'agents', naming: agentsNaming }))
  scope.on(firstRunDemoSeeded, () => seedDemo(db, tenants))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
  scope.on(usersDeleted, ({ tenantId, userId }) => forgetUser(db, tenantId, userId))
}
