import { AppError, surroundingsError, type Logger } from '#kernel'
import type { CallContext, CapabilityOperations, Operation } from './capability.ts'
import { JsonText } from './json-text.ts'
import { badArgument, Refusal, type RefusalCode } from './refusal.ts'
import { isTooDeep } from '../json-depth.ts'
import type { Capability } from '../capabilities/table.ts'
import type { Call, HostAnswer, Room } from '../wire/call.ts'

/** One guest call as the broker sees it. */
export interface BrokeredCall extends CallContext {
  /** The grants without what the tenant refused or an administrator took back, at this moment. */
  readonly capabilities: ReadonlySet<Capability>
  /** Aborted when the caller of the guest goes away. */
  readonly signal: AbortSignal | undefined
}

interface Asked {
  readonly operation: string
  readonly argument: string
  readonly room: Room
}

interface Entry {
  readonly capability: Capability | undefined
  readonly run: Operation
}

const families: ReadonlyMap<number, RefusalCode> = new Map([
  [400, 'bad_request'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [422, 'invalid'],
  [429, 'rate_limited'],
  [502, 'upstream'],
  [503, 'unavailable'],
  [507, 'unavailable'],
])

/** Answers the host calls of guests: finds the operation, checks its grant, reads the argument and turns every failure into a value. */
export class Broker {
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #log: Logger

  constructor(capabilities: readonly CapabilityOperations[], log: Logger) {
    this.#entries = new Map(
      capabilities.flatMap(({ capability, operations }) =>
        Object.entries(operations).map(([name, run]): [string, Entry] => [name, { capability, run }]),
      ),
    )
    this.#log = log
  }

  /** The `host` function of one call. */
  forCall(call: BrokeredCall): Call['host'] {
    return (operation, argument, signal, room) => this.#answer(call, { operation, argument, room }, signal)
  }

  async #answer(call: BrokeredCall, asked: Asked, signal: AbortSignal): Promise<HostAnswer> {
    const { operation, argument, room } = asked
    try {
      const run = this.#granted(call, operation)
      const parsed = parseArgument(argument, call.limits.requestBytes)
      const abort = call.signal ? AbortSignal.any([call.signal, signal]) : signal
      abort.throwIfAborted()
      const value = await run(parsed, call, abort, room)
      return { ok: true, value: value instanceof JsonText ? value.text : JSON.stringify(value ?? null) }
    } catch (error) {
      return this.#refuse(call, operation, error, signal)
    }
  }

  #granted(call: BrokeredCall, operation: string): Operation {
    const entry = this.#entries.get(operation)
    if (!entry) throw new Refusal('forbidden', 'operation_unknown', 'The platform has no such operation')
    const { capability, run } = entry
    if (capability === undefined || call.capabilities.has(capability)) return run
    throw new Refusal('forbidden', 'capability_missing', `The capability ${capability} was not granted`, { capability })
  }

  #refuse(call: BrokeredCall, operation: string, thrown: unknown, signal: AbortSignal): HostAnswer {
    const error = surroundingsError(thrown) ?? thrown
    if (error instanceof Refusal) {
      return { ok: false, code: error.code, message: error.message, details: error.details }
    }
    if (error instanceof AppError && families.has(error.status)) {
      const details = { ...error.details, reason: error.reason }
      return { ok: false, code: families.get(error.status) ?? 'upstream', message: error.message, details }
    }
    if (signal.aborted || call.signal?.aborted) {
      return { ok: false, code: 'upstream', message: 'The call has ended', details: { reason: 'aborted' } }
    }
    this.#log.error({ err: error, plugin: call.plugin, tenant: call.tenantId, operation }, 'a host call failed')
    return { ok: false, code: 'internal', message: 'The platform could not do it', details: { reason: 'internal' } }
  }
}

function parseArgument(text: string, maxBytes: number): Readonly<Record<string, unknown>> {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw new Refusal('invalid', 'argument_too_large', `The argument is larger than ${maxBytes} bytes`)
  }
  if (isTooDeep(text)) throw new Refusal('invalid', 'argument_too_deep', 'The argument is nested too deeply')
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw badArgument('The argument must be an object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badArgument('The argument is not JSON')
  }
}
