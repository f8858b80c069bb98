import { tenantResolver, type Needed } from '#kernel'
import { audit } from '../access/contract.ts'
import { agentToolSources } from '../agents/contract.ts'
import { chatContributors } from '../chat/contract.ts'

/** The services that the Model Context Protocol stands on. */
export const needs = { audit, chat: chatContributors, agentTools: agentToolSources, tenants: tenantResolver } as const

/** The implementations behind them. */
export type McpNeeds = Needed<typeof needs>
