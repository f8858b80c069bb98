import type { Answer, Api, CallOptions } from '../support/api.ts'

/** One of the two hosts. */
export type HostIndex = 0 | 1

/** A call and what became of it; status 0 is a connection that was lost, code 0 an answer without one. */
export interface Attempt {
  readonly kind: string
  readonly host: HostIndex
  readonly from: number
  readonly to: number
  readonly status: number
  readonly code: number
  readonly answer: Answer | undefined
  readonly text: string
}

/** What the caller knows: it was done, it was not, or nobody can tell. */
export type Outcome = 'done' | 'refused' | 'unknown'

/** So long a call may take: every wait of the platform ends before. */
const patience = 60_000

/** Everything that was asked in this run. */
export class Ledger {
  readonly attempts: Attempt[] = []
  readonly faults: string[] = []
  /** What is broken at the moment, for what is written down. */
  cause = 'start'

  /** Calls a host and writes down what came of it. */
  async call(
    kind: string,
    host: HostIndex,
    api: Api,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    options: CallOptions = {},
  ): Promise<Attempt> {
    const from = Date.now()
    let lost = ''
    const answer = await api
      .call(method, path, { ...options, signal: AbortSignal.timeout(patience) })
      .catch((error: unknown) => void (lost = String(error)))
    const code = Number((answer?.body as { code?: unknown } | undefined)?.code ?? 0)
    const text = answer ? JSON.stringify(answer.body).slice(0, 400) : lost
    const attempt = {
      kind,
      host,
      from,
      to: Date.now(),
      status: answer?.status ?? 0,
      code,
      answer: answer ?? undefined,
      text,
    }
    this.attempts.push(attempt)
    return attempt
  }

  /** Something that must not be. */
  fault(text: string): void {
    const line = `${new Date().toISOString().slice(11, 23)} ${this.cause}: ${text}`
    this.faults.push(line)
    console.log(`  ! ${line}`)
  }
}

/** What the caller of an attempt knows after it. */
export function outcomeOf({ status, code }: Attempt): Outcome {
  if (status >= 200 && status < 300) return 'done'
  return status === 0 || code === 5036 ? 'unknown' : 'refused'
}

/** A line for whoever looks for the cause. */
export function presentAttempt({ kind, host, from, to, status, text }: Attempt): string {
  return `${new Date(from).toISOString().slice(11, 23)} +${to - from} ms ${kind} at host ${host}: ${status} ${text}`
}
