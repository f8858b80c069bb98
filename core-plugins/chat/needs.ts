import { tenantResolver, type Needed } from '#kernel'
import { access } from '../access/contract.ts'
import { agentDirectory } from '../agents/contract.ts'
import { attachmentFiles } from '../attachments/contract.ts'
import { aiGateway, aiSurfaces } from '../ai/contract.ts'
import { aiLedger, aiSpending } from '../ai-ledger/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { pluginTools } from '../plugin-offers/contract.ts'

/** The services that chats stand on. */
export const needs = {
  ...{ access, surfaces: aiSurfaces },
  ...{ agents: agentDirectory, gateway: aiGateway, config: configReader, tools: pluginTools, ledger: aiLedger },
  spending: aiSpending,
  ...{ jobs, files: attachmentFiles },
  tenants: tenantResolver,
} as const

/** The implementations behind them. */
export type ChatNeeds = Needed<typeof needs>
