import { tenantResolver, textTeller } from '#kernel'
import { access } from '../access/contract.ts'
import { messageSender } from '../mail/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** What notifications stands on. */
export const needs = { access, mail: messageSender, teller: textTeller, tenants: tenantResolver, users: userDirectory }
