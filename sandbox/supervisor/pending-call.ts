import type { Logger } from '#kernel'
import type { Call, HostAnswer } from './call.ts'
import type { LaneResult } from './kill.ts'

/** A call that a sandbox host has not answered yet. */
export interface PendingCall {
  readonly call: Call
  since: number
  /** It is in the sandbox host and not yet in the guest. */
  isWaiting: boolean
  /** Made with the first host call: most calls make none, and an abort is not cheap. */
  ended: AbortController | undefined
  overdue: NodeJS.Timeout
  hostCalls: number
  settle(result: LaneResult): void
}

/** What a guest asks of the host. */
export interface HostCall {
  /** Of this host call within its call, as text. */
  readonly number: string
  readonly operation: string
  /** JSON text. */
  readonly argument: string
}

/** Has the host answer a guest, unless the call ends before. */
export async function answerHostCall(
  pending: PendingCall,
  { number, operation, argument }: HostCall,
  reply: (...fields: readonly string[]) => void,
  log: Logger,
): Promise<void> {
  pending.hostCalls++
  const { signal } = (pending.ended ??= new AbortController())
  const answer = await pending.call
    .host(operation, argument, signal)
    .catch((error: unknown) => refuse(operation, error, log))
  if (signal.aborted) return
  if (answer.ok) return reply(number, '1', answer.value)
  const { code, message, details } = answer
  reply(number, '0', JSON.stringify({ code, message, details }))
}

/** A fault of ours: the guest learns that it failed and nothing else. */
function refuse(operation: string, error: unknown, log: Logger): HostAnswer {
  log.error({ err: error, operation }, 'a host call failed')
  return { ok: false, code: 'upstream', message: `${operation} failed` }
}
