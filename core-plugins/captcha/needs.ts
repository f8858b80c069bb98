import { pluginHost, tenantResolver } from '#kernel'
import { configOptions, configPublicMembers, configReader, tenantConfigWorkflow } from '../config/contract.ts'

/** The services captchas stand on. */
export const needs = {
  config: configReader,
  options: configOptions,
  publicMembers: configPublicMembers,
  workflow: tenantConfigWorkflow,
  tenants: tenantResolver,
  host: pluginHost,
}
