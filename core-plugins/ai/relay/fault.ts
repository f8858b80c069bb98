import type { AppError } from '#kernel'
import { ProviderCallError } from '../connection/call.ts'
import type { AttemptEnd } from '../routing/target.ts'
import { ContentBlockedError } from '../guard/errors.ts'
import { UpstreamFaultError } from '../wire/vendor.ts'
import {
  ContextLengthError,
  RequestRefusedError,
  UpstreamAuthError,
  UpstreamBadResponseError,
  UpstreamFailedError,
  UpstreamInterruptedError,
  UpstreamTimeoutError,
} from './errors.ts'

/** What went wrong with an attempt. */
export type FaultClass =
  | 'connect'
  | 'timeout'
  | 'server'
  | 'rate_limit'
  | 'auth'
  | 'truncated'
  | 'bad_response'
  | 'bad_request'
  | 'context_length'
  | 'content_filter'
  | 'not_found'

/** Which of the waits was too long. */
type TimeoutPhase = 'connect' | 'first_token' | 'idle' | 'total'

/** An attempt that failed, with what follows from it. */
export class AttemptFault extends Error {
  readonly class: FaultClass
  /** The provider's HTTP status, or 0. */
  readonly status: number
  readonly phase: TimeoutPhase | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    faultClass: FaultClass,
    message: string,
    more: { readonly status?: number; readonly phase?: TimeoutPhase; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message)
    this.name = 'AttemptFault'
    this.class = faultClass
    this.status = more.status ?? 0
    this.phase = more.phase
    this.retryAfterMs = more.retryAfterMs
  }

  /** Whether the provider may have begun to work, and may charge for it. */
  get mayCost(): boolean {
    if (this.class === 'timeout') return this.phase !== 'connect'
    return this.class === 'server' || this.class === 'truncated' || this.class === 'bad_response'
  }
}

/** Whatever an attempt threw, as a fault. */
export function asFault(error: unknown): AttemptFault {
  if (error instanceof AttemptFault) return error
  if (error instanceof UpstreamFaultError) {
    const { status, retryAfterMs } = error
    const faultClass = error.class === 'overloaded' ? 'server' : error.class
    return new AttemptFault(faultClass, error.message, { status, retryAfterMs })
  }
  if (error instanceof ProviderCallError) return ofConnection(error)
  // A body that breaks off: the connection was there.
  return new AttemptFault('truncated', error instanceof Error ? error.message : String(error))
}

function ofConnection({ kind, message, phase }: ProviderCallError): AttemptFault {
  switch (kind) {
    case 'unsent':
      return new AttemptFault('connect', message)
    case 'timeout':
      return new AttemptFault('timeout', message, { phase: phase ?? 'total' })
    case 'broken':
      return new AttemptFault('truncated', message)
    case 'invalid':
      return new AttemptFault('bad_response', message)
  }
}

/** What routing learns from a fault. */
export function endOf(fault: AttemptFault): AttemptEnd {
  switch (fault.class) {
    case 'bad_request':
    case 'context_length':
    case 'content_filter':
    case 'not_found':
      return 'neutral'
    case 'timeout':
      return fault.phase === 'connect' ? 'connect' : 'timeout'
    default:
      return fault.class
  }
}

/** Whether another attempt may mend a fault, under what the gateway retries on. */
export function isRetried(fault: AttemptFault, on: readonly string[]): boolean {
  switch (fault.class) {
    case 'connect':
      return on.includes('connect')
    case 'timeout':
      return on.includes(fault.phase === 'connect' ? 'connect' : 'timeout')
    case 'server':
    case 'bad_response':
      return on.includes('5xx')
    case 'rate_limit':
      return on.includes('429')
    case 'truncated':
      return on.includes('truncated_before_first_token')
    // Another provider may have the model, or credentials that are good.
    case 'auth':
    case 'not_found':
      return true
    case 'bad_request':
    case 'context_length':
    case 'content_filter':
      return false
  }
}

/** A fault as whoever called is told of it. */
export function errorOf(fault: AttemptFault, details: Readonly<Record<string, unknown>>, hasBegun: boolean): AppError {
  const options = { details: { ...details, ...(fault.phase && { phase: fault.phase }) }, cause: fault }
  const detail = fault.message
  switch (fault.class) {
    case 'timeout':
      return new UpstreamTimeoutError(options)
    case 'auth':
      return new UpstreamAuthError(options)
    case 'bad_response':
      return new UpstreamBadResponseError(options)
    case 'bad_request':
      return new RequestRefusedError({ detail }, options)
    case 'context_length':
      return new ContextLengthError({ detail }, options)
    case 'content_filter':
      // Its own words may repeat what it was sent.
      return new ContentBlockedError({ detail: 'the filter of its provider' }, options)
    case 'truncated':
    case 'server':
    case 'connect':
    case 'rate_limit':
    case 'not_found':
      return hasBegun ? new UpstreamInterruptedError(options) : new UpstreamFailedError(options)
  }
}
