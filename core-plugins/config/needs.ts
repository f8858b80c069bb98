import { pluginHost } from '#kernel'
import { audit } from '../access/contract.ts'
import { jobs } from '../jobs/contract.ts'

/** What config stands on. */
export const needs = { host: pluginHost, audit, jobs }
