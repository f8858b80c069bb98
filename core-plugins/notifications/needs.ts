import { tenantResolver, textTeller } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { messageSender } from '../mail/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** What notifications stands on. */
export const needs = {
  ...{ access, audit, jobs },
  mail: messageSender,
  teller: textTeller,
  tenants: tenantResolver,
  users: userDirectory,
}
