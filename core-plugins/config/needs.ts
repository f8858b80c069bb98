import { pluginHost } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { jobs } from '../jobs/contract.ts'

/** What config stands on. */
export const needs = { host: pluginHost, access, audit, jobs }
