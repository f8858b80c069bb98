import { access, audit } from '../access/contract.ts'
import { configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'

/** What mail stands on. */
export const needs = { access, config: configReader, workflow: tenantConfigWorkflow, audit, jobs }
