import { createGuardedFetch, tenantsDeleted, type Scope } from '#kernel'
import { namesIn } from '../access/contract.ts'
import { createContributor, offeredTools } from './chat/contributor.ts'
import { setupDoor } from './door/setup.ts'
import { eraseTenant } from './erasure.ts'
import type { McpNeeds } from './needs.ts'
import { ClientTokens } from './peer/client-tokens.ts'
import { serverRoutes } from './servers/routes.ts'
import { ServerTrial } from './servers/server-trial.ts'
import { ServerService } from './servers/service.ts'
import { WhereTo } from './servers/where-to.ts'
import { McpServerRow } from './tables.ts'
import { Looker } from './use/looker.ts'
import { PeerBook } from './use/peer-book.ts'
import { ServerSecrets } from './use/server-secrets.ts'
import { ToolCalls } from './use/tool-calls.ts'

/** A server that nobody spoke to for so long is let go, and is looked for so often. */
const idleMs = 300_000
const sweepMs = 60_000

/** Opens the Model Context Protocol: servers of tools for agents, and tools for clients. */
export function setupMcp(scope: Scope, needs: McpNeeds): void {
  const { audit, agentTools, chat, tenants } = needs
  const { db, env, log } = scope
  const http = scope.use(createGuardedFetch(env))
  const secrets = new ServerSecrets(scope.secrets)
  const peers = scope.use(new PeerBook({ db, http, secrets, tokens: new ClientTokens(http) }))
  scope.every(sweepMs, () => peers.leaveIdle(idleMs))
  const looker = new Looker({ db, peers, log })
  const whereTo = new WhereTo(http, env.egressAllowPrivate)
  const servers = new ServerService({ db, audit, tenants, secrets, whereTo, looker })
  scope.route(...serverRoutes(servers, looker, new ServerTrial({ http, whereTo })))
  scope.use(audit.nameTargets('mcp_server', namesIn(McpServerRow, db)))
  const calls = new ToolCalls({ db, peers, looker })
  scope.use(chat.register(createContributor(calls)))
  scope.use(agentTools.register({ list: (tenantId, trx) => offeredTools(calls, tenantId, trx) }))
  setupDoor(scope, needs)
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
}
