import type { Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { packageIndexes, packageIntake, pluginDirectory, pluginOperations } from '../plugins/contract.ts'

/** The services that the index stands on. */
export const needs = {
  indexes: packageIndexes,
  intake: packageIntake,
  directory: pluginDirectory,
  operations: pluginOperations,
  settings: configReader,
  access,
  audit,
  notifier,
}

/** The implementations behind them. */
export type PluginIndexNeeds = Needed<typeof needs>
