import { pluginHost, tenantResolver } from '#kernel'
import { configOptions, configReader, tenantConfigWorkflow } from '../config/contract.ts'

/** The services captchas stand on. */
export const needs = {
  config: configReader,
  options: configOptions,
  workflow: tenantConfigWorkflow,
  tenants: tenantResolver,
  host: pluginHost,
}
