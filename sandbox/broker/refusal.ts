/**
 * What a guest can be told about a host call that failed; the SDK's `PluginError` carries the code. `unavailable` is the platform's
 * own failure, and no plugin's: the database or the cache is away, its answer was lost, a disk is full.
 */
export type RefusalCode =
  'bad_request' | 'forbidden' | 'not_found' | 'conflict' | 'invalid' | 'rate_limited' | 'upstream' | 'unavailable'

/** A host call is refused; message and details are meant for the guest. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, reason: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = { reason, ...details }
  }
}

/** An argument of a host call does not have the form it must have. */
export function badArgument(message: string): Refusal {
  return new Refusal('bad_request', 'argument_invalid', message)
}
