import { tenantResolver, textTeller, type Needed } from '#kernel'
import { jobs } from '../jobs/contract.ts'
import { pluginRowKeepers, pluginRuntime } from '../plugins/contract.ts'

/** The services that jobs of plugins stand on. */
export const needs = {
  resolver: tenantResolver,
  runtime: pluginRuntime,
  keepers: pluginRowKeepers,
  jobs,
  teller: textTeller,
}

/** The implementations behind them. */
export type PluginJobsNeeds = Needed<typeof needs>
