import type { GuestContext } from './context.ts'
import type { GuestCall } from './guest-call.ts'
import type { GuestIsolate } from './isolate.ts'

/** A call, and where it is. */
export interface Seat {
  readonly call: GuestCall
  isolate: GuestIsolate | undefined
  context: GuestContext | undefined
}
