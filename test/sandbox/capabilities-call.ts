import type { CallContext, CapabilityOperations } from '../../sandbox/broker/capability.ts'
import { effectiveLimits } from '../../sandbox/effective-limits.ts'
import type { Capability } from '../../sandbox/capabilities/table.ts'
import type { EffectiveLimits, Grants } from '../../sandbox/grants.ts'
import { Broker } from '../../sandbox/broker/broker.ts'
import type { Call, HostAnswer, Room } from '../../sandbox/wire/call.ts'
import type { StreamSink } from '../../sandbox/broker/stream-sink.ts'
import { Meter } from '../../sandbox/metering/meter.ts'
import { recordingLog } from '../support/recording-log.ts'

/** A grant of everything named, and nothing else. */
export function grantsOf(given: Partial<Grants> & { readonly capabilities?: ReadonlySet<Capability> } = {}): Grants {
  return {
    capabilities: new Set(),
    hosts: [],
    publish: [],
    subscribe: [],
    tables: [],
    uses: {},
    limits: effectiveLimits(),
    deniedFor: () => new Set(),
    ...given,
  }
}

/** What a guest's call is given in a test. */
export interface TestCall {
  readonly tenantId?: number
  readonly limits?: Partial<EffectiveLimits>
  readonly hop?: number
  readonly capabilities?: readonly Capability[]
  readonly signal?: AbortSignal
  /** Gives room for what is read. */
  readonly room?: Room
  /** Takes the messages of a streamed answer. */
  readonly stream?: StreamSink
}

/** One guest call: its host calls share counters, as they do in a sandbox. */
export class GuestCalls {
  readonly #host: Call['host']
  readonly #room: Room
  readonly #ended = new AbortController()

  constructor(capability: CapabilityOperations, call: TestCall = {}) {
    this.#room = call.room ?? (() => Promise.resolve())
    const counts: Record<string, number> = {}
    const context: CallContext = {
      plugin: 'acme.notes',
      tenantId: call.tenantId ?? 1,
      limits: effectiveLimits(call.limits ?? {}),
      hop: call.hop ?? 0,
      traceId: 'trace',
      count: (what) => (counts[what] = (counts[what] ?? 0) + 1),
      stream: call.stream,
      usage: new Meter().open('acme.notes', call.tenantId ?? 1, { kind: 'handler', name: 'test' }),
    }
    const own = capability.capability === undefined ? [] : [capability.capability]
    const broker = new Broker([capability], recordingLog().log)
    this.#host = broker.forCall({
      ...context,
      capabilities: new Set(call.capabilities ?? own),
      signal: call.signal,
    })
  }

  /** The value, or `code reason` of the refusal. */
  async ask(operation: string, argument: unknown = {}): Promise<unknown> {
    const answer = await this.answer(operation, argument)
    if (answer.ok) return JSON.parse(answer.value)
    const { reason } = (answer.details ?? {}) as { readonly reason?: string }
    return `${answer.code} ${reason ?? ''}`
  }

  answer(operation: string, argument: unknown = {}): Promise<HostAnswer> {
    return this.#host(operation, JSON.stringify(argument), this.#ended.signal, this.#room)
  }

  /** What the sandbox does when the call is over. */
  end(): void {
    this.#ended.abort()
  }
}
