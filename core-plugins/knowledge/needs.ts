import { tenantResolver, type Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { agentDirectory } from '../agents/contract.ts'
import { aiGateway } from '../ai/contract.ts'
import { attachmentFiles } from '../attachments/contract.ts'
import { chatContributors } from '../chat/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { healthDetails } from '../system/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services that knowledge bases stand on. */
export const needs = {
  ...{ access, audit, agents: agentDirectory, files: attachmentFiles, jobs },
  ...{ contributors: chatContributors, gateway: aiGateway, health: healthDetails },
  ...{ tenants: tenantResolver, users: userDirectory },
} as const

/** The implementations behind them. */
export type KnowledgeNeeds = Needed<typeof needs>
