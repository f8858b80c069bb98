/** The failures a handler can answer with: 400, 403, 404, 409, 422, 429 and 502. Any other error becomes a 500. */
export type PluginErrorCode =
  'bad_request' | 'forbidden' | 'not_found' | 'conflict' | 'invalid' | 'rate_limited' | 'upstream'

/**
 * Thrown by a handler to answer with an error, and by every host call that fails. The message, of at most 2,000
 * characters, and the details, at most 16,000 characters of JSON, are shown to the caller.
 */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  /**
   * Host calls may also fail with `revoked` (the call has ended), `unavailable` (the platform cannot do it at the moment; left
   * alone it is a 503, or 507 where the store is full) and `internal` (a fault of the platform).
   */
  readonly code: PluginErrorCode | 'revoked' | 'unavailable' | 'internal'
  /** Plain JSON. */
  readonly details?: unknown
  /**
   * The `reason` of the details: a stable word to test for, such as `quota_exceeded`. Thrown to a caller it is the answer's reason,
   * `plugin.<name>.quota_exceeded`, if it has at most 64 characters of a to z, digits and underscores and begins with a letter.
   */
  readonly reason?: string

  constructor(code: PluginErrorCode, message: string, details?: unknown) {
    super(message)
    this.code = code
    if (details !== undefined) this.details = details
    const reason = reasonIn(details)
    if (reason !== undefined) this.reason = reason
  }

  /** Also true for the errors of host calls, whose class is the platform's own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'PluginError'
  }
}

function reasonIn(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('reason' in details)) return undefined
  return typeof details.reason === 'string' ? details.reason : undefined
}
