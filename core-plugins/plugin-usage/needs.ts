import { processMetrics, textTeller, type Needed } from '#kernel'
import { pluginDirectory, pluginRuntime } from '../plugins/contract.ts'
import { tenantDirectory } from '../tenants/contract.ts'

/** The services that the usage of plugins stands on. */
export const needs = {
  directory: pluginDirectory,
  runtime: pluginRuntime,
  metrics: processMetrics,
  tenants: tenantDirectory,
  teller: textTeller,
}

/** The implementations behind them. */
export type PluginUsageNeeds = Needed<typeof needs>
