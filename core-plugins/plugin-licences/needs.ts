import type { Needed } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { notifier } from '../notifications/contract.ts'
import { pluginLicences, pluginRowKeepers } from '../plugins/contract.ts'
import { tenantDirectory } from '../tenants/contract.ts'
import { userDirectory } from '../users/contract.ts'

/** The services that licences of plugins stand on. */
export const needs = {
  licences: pluginLicences,
  keepers: pluginRowKeepers,
  tenants: tenantDirectory,
  users: userDirectory,
  access,
  audit,
  notifier,
}

/** The implementations behind them. */
export type PluginLicencesNeeds = Needed<typeof needs>
