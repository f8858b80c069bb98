import type { Capability } from '../capabilities/table.ts'
import type { CallMeter } from '../metering/call-meter.ts'
import type { EffectiveLimits, GuestTenant } from '../grants.ts'
import type { StreamSink } from './stream-sink.ts'
import type { Room } from '../wire/call.ts'

/** The argument of a host call: parsed, an object, and nothing else is known of it. */
export type Argument = Readonly<Record<string, unknown>>

/** The guest call that a host call belongs to. */
export interface CallContext {
  readonly plugin: string
  /** 0 = the platform. */
  readonly tenantId: number
  /** Undefined = the platform. */
  readonly tenant?: GuestTenant | undefined
  /** The user whose request led to the call, if any. */
  readonly userId?: number | undefined
  readonly limits: EffectiveLimits
  /** How many events in a row led to this call. */
  readonly hop: number
  readonly traceId: string
  /** How often this call did something, this time included. */
  count(what: string): number
  /** Counts what the call uses, for whoever looks at the plugin's cost. */
  readonly usage: Pick<CallMeter, 'add' | 'addEgress'>
  /** Where messages of a streamed answer go; absent where the answer is none. */
  readonly stream?: StreamSink | undefined
}

/**
 * What a guest may ask the host to do; the value is plain data. The signal aborts when the call ends or its caller goes away. Whatever may
 * be large is read when there is room for it.
 */
export type Operation = (argument: Argument, call: CallContext, signal: AbortSignal, room: Room) => Promise<unknown>

/** The operations that one capability brings, by their full names. */
export interface CapabilityOperations {
  /** Undefined where everybody has it. */
  readonly capability?: Capability
  readonly operations: Readonly<Record<string, Operation>>
}
