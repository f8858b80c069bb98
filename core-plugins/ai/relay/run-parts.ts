import type { ProviderConnection } from '../connection/provider-connection.ts'
import type { PluginRouters } from '../../plugin-offers/contract.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { CallRecord } from './call-record.ts'
import type { InputExperience } from './input-experience.ts'
import type { GatewaySettings } from './ports.ts'

/** What a run lives on. */
export interface RunParts {
  readonly table: RoutingTable
  readonly gateway: GatewaySettings
  readonly connection: ProviderConnection
  readonly random: () => number
  readonly experience: Pick<InputExperience, 'note'>
  readonly ended: (record: CallRecord) => void
  readonly routers?: Pick<PluginRouters, 'order'> | undefined
}
