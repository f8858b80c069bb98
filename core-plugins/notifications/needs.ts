import { tenantResolver, textTeller } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { messageSender } from '../mail/contract.ts'
import { preferenceCatalogue, preferences } from '../preferences/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** What notifications stands on. */
export const needs = {
  ...{ access, audit, jobs },
  config: configReader,
  catalogue: preferenceCatalogue,
  mail: messageSender,
  preferences,
  teller: textTeller,
  tenants: tenantResolver,
  users: userDirectory,
}
