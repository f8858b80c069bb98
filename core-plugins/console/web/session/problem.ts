/** What a field of a form is refused for. */
export interface FieldProblem {
  readonly field: string
  readonly rule: string
  readonly message: string
}

/** What the server refuses a request with, in the reader's language; status 0 where there was no answer. */
export class Problem extends Error {
  readonly status: number
  readonly code: number
  readonly reason: string
  readonly traceId: string
  readonly errors: readonly FieldProblem[]
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | undefined
  /** Does again what was refused, as the same intent, where the form that sent it is still there. */
  again: (() => Promise<void>) | undefined

  constructor(status: number, body: ProblemBody, retryAfter?: number) {
    super(body.message ?? `HTTP ${status}`)
    this.status = status
    this.code = body.code ?? status * 10
    this.reason = body.reason ?? ''
    this.traceId = body.trace_id ?? ''
    this.errors = body.errors ?? []
    this.details = body.details ?? {}
    this.retryAfter = retryAfter
  }
}

/** The body of a refusal. */
export interface ProblemBody {
  readonly code?: number
  readonly message?: string
  readonly reason?: string
  readonly trace_id?: string
  readonly errors?: readonly FieldProblem[]
  readonly details?: Readonly<Record<string, unknown>>
}

/** The answer of a server that could not be reached. */
export function unreachable(cause: unknown): Problem {
  const problem = new Problem(0, { message: 'The server cannot be reached', reason: 'offline' })
  problem.cause = cause
  return problem
}
