import { tenantResolver, type Needed } from '#kernel'
import { agentDirectory } from '../agents/contract.ts'
import { aiGateway } from '../ai/contract.ts'
import { chatContributors, chatConversations } from '../chat/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { preferenceCatalogue, preferences } from '../preferences/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services that remembering stands on. */
export const needs = {
  ...{ agents: agentDirectory, gateway: aiGateway, config: configReader, jobs },
  ...{ contributors: chatContributors, conversations: chatConversations },
  ...{ preferenceCatalogue, preferences, tenants: tenantResolver, users: userDirectory },
} as const

/** The implementations behind them. */
export type MemoryNeeds = Needed<typeof needs>
