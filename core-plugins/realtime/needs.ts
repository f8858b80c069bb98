import { authenticator, tenantResolver, textTeller } from '#kernel'
import { callerChanges, wsTickets } from '../auth/contract.ts'
import { pluginDirectory, pluginRuntime } from '../plugins/contract.ts'

/** What real time stands on. */
export const needs = {
  authenticator,
  callers: callerChanges,
  directory: pluginDirectory,
  plugins: pluginRuntime,
  teller: textTeller,
  tenants: tenantResolver,
  tickets: wsTickets,
}
