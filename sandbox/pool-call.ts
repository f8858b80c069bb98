import type { CallMeter } from './metering/call-meter.ts'
import type { PreparedPlugin } from './prepared-plugin.ts'
import type { GuestCall } from './services.ts'
import type { BrokeredCall } from './broker/broker.ts'
import type { Call, CallTarget } from './wire/call.ts'
import type { Capability } from './capabilities/table.ts'
import type { GuestLog } from './supervisor/guest-log.ts'

/** What a pure mapping may do: nothing but think. */
const noCapabilities = { set: new Set<never>(), json: '[]' }

/** What would lead back to the function that asks for it, again and again. */
const circularOf: Partial<Record<CallTarget['kind'], Capability>> = { driver: 'storage', guardrail: 'ai:invoke' }

/** What follows a call on its way: its trace id, and what counts its cost. */
interface CallTrace {
  readonly traceId: string
  readonly usage: CallMeter
}

/** A call into a guest as the pool takes it: with its bounds, its ctx and what answers its host calls. */
export function toPoolCall(
  prepared: PreparedPlugin,
  call: GuestCall,
  guestLog: GuestLog,
  { traceId, usage }: CallTrace,
): Call {
  const { limits, broker, code, release } = prepared
  const tenantId = call.tenant?.id ?? 0
  const asked = call.wallMs ?? limits.wallMs
  // Hooks and other jobs bring their own bounds; a route may only ask for less.
  const wallMs = call.cpuMs === undefined ? Math.min(asked, limits.wallMs) : asked
  const brokered: BrokeredCall = {
    plugin: release.name,
    tenantId,
    tenant: call.tenant,
    userId: call.user?.id,
    limits,
    hop: call.hop ?? 0,
    traceId,
    // Asked anew at each host call: what is taken back meanwhile ends within the call.
    get capabilities() {
      return capabilitiesOf(prepared, call).set
    },
    get signal() {
      return call.signal
    },
    count: createCounter(),
    stream: call.stream,
    usage,
  }
  return {
    code,
    tenant: String(tenantId),
    target: call.target,
    input: call.input,
    ctx: prepared.presentContext(call, capabilitiesOf(prepared, call).json, wallMs),
    limits: {
      cpuMs: call.cpuMs ?? limits.cpuMs,
      wallMs,
      hostCalls: limits.hostCalls,
      hostCallsInFlight: limits.hostCallsInFlight,
      logLines: limits.logLines,
      responseBytes: limits.responseBytes,
      concurrency: limits.concurrency,
      tenantConcurrency: limits.tenantConcurrency,
      queue: limits.queue,
    },
    host: broker.forCall(brokered),
    onLog: guestLog.forCall(brokered),
    isForsaken: () => call.isForsaken ?? false,
  }
}

function capabilitiesOf(prepared: PreparedPlugin, { isPure, target, tenant }: GuestCall) {
  if (isPure) return noCapabilities
  const granted = prepared.capabilitiesFor(tenant?.id ?? 0)
  const circular = circularOf[target.kind]
  if (circular === undefined || !granted.set.has(circular)) return granted
  const set = new Set([...granted.set].filter((capability) => capability !== circular))
  return { set, json: JSON.stringify([...set]) }
}

function createCounter(): (what: string) => number {
  const counts: Record<string, number> = {}
  return (what) => (counts[what] = (counts[what] ?? 0) + 1)
}
