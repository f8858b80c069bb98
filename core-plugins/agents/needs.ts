import { tenantResolver, type Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { aiGateway, aiModelUsers } from '../ai/contract.ts'
import { pluginTools } from '../plugin-offers/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services that agents stand on. */
export const needs = {
  ...{ access, audit, gateway: aiGateway, modelUsers: aiModelUsers, tools: pluginTools },
  ...{ tenants: tenantResolver, users: userDirectory },
} as const

/** The implementations behind them. */
export type AgentNeeds = Needed<typeof needs>
