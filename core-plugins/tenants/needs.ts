import { access, audit } from '../access/contract.ts'
import { configComputedValues, configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { deliveryChanges, messageSender } from '../mail/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** What tenants stands on. */
export const needs = {
  access,
  audit,
  jobs,
  computed: configComputedValues,
  config: configReader,
  workflow: tenantConfigWorkflow,
  users: userDirectory,
  mail: messageSender,
  delivery: deliveryChanges,
}
