import type { Environment } from '../env.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import type { MessageTable } from '../locale/message-table.ts'
import type { RouteTable } from './router.ts'
import type { SocketTable } from './sockets/socket-table.ts'

/** What of the kernel answers requests. */
export interface AppParts extends EndpointParts {
  readonly env: Pick<Environment, 'host' | 'port'>
  readonly routes: RouteTable
  readonly sockets: SocketTable
  readonly messages: MessageTable
}
