import { tenantResolver, textTeller, type Needed } from '#kernel'
import { audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { pluginDirectory, pluginRowKeepers, pluginRuntime } from '../plugins/contract.ts'

/** The services that schedules of plugins stand on. */
export const needs = {
  resolver: tenantResolver,
  directory: pluginDirectory,
  runtime: pluginRuntime,
  keepers: pluginRowKeepers,
  settings: configReader,
  audit,
  jobs,
  teller: textTeller,
}

/** The implementations behind them. */
export type PluginSchedulesNeeds = Needed<typeof needs>
