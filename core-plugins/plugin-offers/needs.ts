import { tenantResolver, type Needed } from '#kernel'
import { captchaProviders } from '../captcha/contract.ts'
import { pluginRuntime } from '../plugins/contract.ts'
import { preferenceCatalogue } from '../preferences/contract.ts'
import { storageDrivers } from '../storage/contract.ts'

/** The services that what plugins offer stands on. */
export const needs = {
  runtime: pluginRuntime,
  captchas: captchaProviders,
  drivers: storageDrivers,
  preferences: preferenceCatalogue,
  resolver: tenantResolver,
}

/** The implementations behind them. */
export type PluginOffersNeeds = Needed<typeof needs>
