import type { AnswerError } from './protocol.ts'

/** A request that a route of the plugin, or the console, refused. */
export class StoaError extends Error {
  readonly status: number
  readonly code: number
  readonly reason: string
  readonly errors: AnswerError['errors']
  readonly traceId: string

  constructor(status: number, error: Partial<AnswerError> & { readonly message: string }) {
    super(error.message)
    this.name = 'StoaError'
    this.status = status
    this.code = error.code ?? 0
    this.reason = error.reason ?? ''
    this.errors = error.errors
    this.traceId = error.traceId ?? ''
  }
}
