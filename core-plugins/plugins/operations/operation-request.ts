import type { OperationKind } from '../shared/operation-kinds.ts'
import type { Operation } from './operation.ts'

/** What an operation is about. */
export interface OperationRequest {
  readonly plugin: string
  readonly pluginId?: number
  readonly kind: OperationKind
  readonly actor: number | null
  /** Of the request that it is done for, under which it is found in logs. */
  readonly traceId?: string | undefined
  readonly options?: Readonly<Record<string, unknown>>
  /** What is unfinished is over, instead of being ended first: for a removal, which undoes it all. */
  readonly supersedes?: boolean
  /** What waits for a host that can start the plugin: these kinds are over; without a list nothing begins before it has ended. */
  readonly overtakes?: readonly OperationKind[]
  /** Other plugins that nobody may change meanwhile, asked for when the lock is taken. */
  readonly also?: () => Promise<readonly string[]>
  /** Brings what it needs, without the lock of the plugin: only other packages of it have to wait. The signal ends when it is called off. */
  readonly bring?: (operation: Operation, signal: AbortSignal) => Promise<void>
}
