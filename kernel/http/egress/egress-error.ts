/** Why a request did not get an answer. */
type EgressReason =
  | 'url_invalid'
  | 'address_forbidden'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'timeout'
  | 'aborted'
  | 'response_too_large'
  | 'response_invalid'

/** A request through the guarded client failed; the message names no address. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason

  constructor(reason: EgressReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
