import { permissionRegistry } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configOptions, configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { messageSender } from '../mail/contract.ts'

/** What the plugin asks of others. */
export const needs = {
  access,
  audit,
  config: configReader,
  jobs,
  messages: messageSender,
  options: configOptions,
  registry: permissionRegistry,
  workflow: tenantConfigWorkflow,
} as const
