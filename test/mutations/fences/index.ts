import type { Fence } from '../mutation.ts'
import { accounts } from './accounts.ts'
import { aiAgents } from './agents.ts'
import { aiGateway } from './ai-gateway.ts'
import { aiLedger } from './ai-ledger.ts'
import { aiWords } from './ai-words.ts'
import { answers } from './answers.ts'
import { attachments } from './attachments.ts'
import { blameForMemory } from './blame-for-memory.ts'
import { chatRuns } from './chat-runs.ts'
import { chatConversations } from './chat.ts'
import { consoleHeaders } from './console-headers.ts'
import { egressAddresses } from './egress-addresses.ts'
import { erasures } from './erasures.ts'
import { guessing } from './guessing.ts'
import { guestAsks } from './guest-asks.ts'
import { indexPushes } from './index-pushes.ts'
import { aiKnowledge } from './knowledge.ts'
import { lateHosts } from './late-hosts.ts'
import { licenceTokens } from './licences.ts'
import { lifecycle } from './lifecycle.ts'
import { mail } from './mail.ts'
import { mcpDoor } from './mcp-door.ts'
import { mcpServers } from './mcp-servers.ts'
import { aiMemory } from './memory.ts'
import { notifications } from './notifications.ts'
import { operations } from './operations.ts'
import { organisationPaths } from './organisation-paths.ts'
import { packages } from './packages.ts'
import { pluginJobs } from './plugin-jobs.ts'
import { pluginOffers } from './plugin-offers.ts'
import { pluginPaths } from './plugin-paths.ts'
import { pluginReach } from './plugin-reach.ts'
import { pluginSources } from './plugin-sources.ts'
import { pluginUsage } from './plugin-usage.ts'
import { realtime } from './realtime.ts'
import { requests } from './requests.ts'
import { routePermissions } from './route-permissions.ts'
import { rowLevelSecurity } from './row-level-security.ts'
import { sandboxWalls } from './sandbox-walls.ts'
import { settings } from './settings.ts'
import { statements } from './statements.ts'
import { storage } from './storage.ts'
import { storedSecrets } from './stored-secrets.ts'
import { tenants } from './tenants.ts'
import { tokens } from './tokens.ts'
import { trials } from './trials.ts'
import { webhooks } from './webhooks.ts'

/** Every fence whose tests are watched. */
export const fences: readonly Fence[] = [
  rowLevelSecurity,
  requests,
  egressAddresses,
  tokens,
  guessing,
  organisationPaths,
  statements,
  sandboxWalls,
  trials,
  lateHosts,
  packages,
  licenceTokens,
  lifecycle,
  storedSecrets,
  answers,
  operations,
  aiLedger,
  aiGateway,
  aiWords,
  attachments,
  blameForMemory,
  storage,
  realtime,
  webhooks,
  notifications,
  mail,
  chatConversations,
  chatRuns,
  aiAgents,
  aiMemory,
  aiKnowledge,
  mcpServers,
  mcpDoor,
  pluginOffers,
  pluginUsage,
  pluginJobs,
  accounts,
  erasures,
  tenants,
  settings,
  routePermissions,
  guestAsks,
  indexPushes,
  consoleHeaders,
  pluginSources,
  pluginReach,
  pluginPaths,
]
