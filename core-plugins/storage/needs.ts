import { access } from '../access/contract.ts'
import {
  configOptions,
  configPublicMembers,
  configReader,
  configSecretMembers,
  tenantConfigWorkflow,
} from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'

/** What storage stands on. */
export const needs = {
  access,
  jobs,
  config: configReader,
  options: configOptions,
  secretMembers: configSecretMembers,
  publicMembers: configPublicMembers,
  workflow: tenantConfigWorkflow,
}
