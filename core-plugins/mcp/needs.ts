import { authenticator, originPolicy, tenantResolver, type Needed } from '#kernel'
import { audit } from '../access/contract.ts'
import { agentDirectory, agentToolSources } from '../agents/contract.ts'
import { aiKeys, aiLedger } from '../ai-ledger/contract.ts'
import { aiGateway } from '../ai/contract.ts'
import { agentAsker, chatContributors } from '../chat/contract.ts'
import { knowledgeLibrary, knowledgeRetrieval } from '../knowledge/contract.ts'
import { pluginTools } from '../plugin-offers/contract.ts'

/** The services that the Model Context Protocol stands on. */
export const needs = {
  ...{ audit, authenticator, origins: originPolicy, tenants: tenantResolver, keys: aiKeys, ledger: aiLedger },
  ...{
    gateway: aiGateway,
    agents: agentDirectory,
    agentTools: agentToolSources,
    asker: agentAsker,
    chat: chatContributors,
  },
  ...{ knowledge: knowledgeRetrieval, library: knowledgeLibrary, tools: pluginTools },
} as const

/** The implementations behind them. */
export type McpNeeds = Needed<typeof needs>
