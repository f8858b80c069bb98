import { tenantResolver, type Needed } from '#kernel'
import { audit } from '../access/contract.ts'
import { aiKeys, aiLedger } from '../ai-ledger/contract.ts'
import { configReader } from '../config/contract.ts'
import { pluginGuardrails, pluginProviders } from '../plugin-offers/contract.ts'
import { aiInvokers } from '../plugins/contract.ts'

/** The services that the AI area stands on. */
export const needs = {
  ...{ audit, config: configReader, tenants: tenantResolver, pluginProviders, pluginGuardrails },
  ...{ keys: aiKeys, ledger: aiLedger, invokers: aiInvokers },
} as const

/** The implementations behind them. */
export type AiNeeds = Needed<typeof needs>
