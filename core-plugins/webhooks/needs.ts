import { tenantResolver } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { wireFeed } from '../realtime/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** What web hooks stand on. */
export const needs = {
  ...{ access, audit, jobs, notifier },
  feed: wireFeed,
  tenants: tenantResolver,
  users: userDirectory,
}
