import { tenantResolver, trustedProxies } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader, configWriter } from '../config/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services sign-in stands on. */
export const needs = {
  access,
  audit,
  config: configReader,
  configWriter,
  users: userDirectory,
  tenants: tenantResolver,
  proxies: trustedProxies,
}
