import { processMetrics, tenantResolver, type Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { aiKeys, aiLedger, aiSpending } from '../ai-ledger/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { messageSender } from '../mail/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { pluginGuardrails, pluginProviders, pluginRouters } from '../plugin-offers/contract.ts'
import { aiInvokers } from '../plugins/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services that the AI area stands on. */
export const needs = {
  ...{ audit, config: configReader, tenants: tenantResolver, pluginProviders, pluginGuardrails, pluginRouters },
  ...{ keys: aiKeys, ledger: aiLedger, spending: aiSpending, invokers: aiInvokers },
  ...{ access, jobs, notifier, mail: messageSender, users: userDirectory, metrics: processMetrics },
} as const

/** The implementations behind them. */
export type AiNeeds = Needed<typeof needs>
