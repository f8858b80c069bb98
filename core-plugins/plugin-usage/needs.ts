import { processMetrics, textTeller, type Needed } from '#kernel'
import { pluginDirectory, pluginRuntime } from '../plugins/contract.ts'
import { healthDetails } from '../system/contract.ts'
import { tenantDirectory } from '../tenants/contract.ts'

/** The services that the usage of plugins stands on. */
export const needs = {
  directory: pluginDirectory,
  runtime: pluginRuntime,
  metrics: processMetrics,
  health: healthDetails,
  tenants: tenantDirectory,
  teller: textTeller,
}

/** The implementations behind them. */
export type PluginUsageNeeds = Needed<typeof needs>
