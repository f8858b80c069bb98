import type { Logger } from '#kernel'

import { LIMITS } from '../limits.ts'
import { isAnswer } from '../outcome-error.ts'
import type { Call, Fault, HostAnswer, Outcome } from './call.ts'
import type { LaneResult } from './kill.ts'

/** The platform could not do it. `upstream` is what the guest asked somebody for: a host it named, a statement it wrote. */
const NO_ANSWERS: ReadonlySet<string> = new Set(['internal', 'unavailable'])
/** Who answers these was chosen by the guest. */
const OTHERS = /^(http|ai)\./
/** A wait is what took a call's time when it was so much of its clock. */
const MOST = 0.5
const DATABASE_OPERATION = 'db.'
const QUERY = 'db.query'
/** What is there afterwards, in whatever store. */
const SAVING: ReadonlySet<string> = new Set([
  ...['db.commit', 'storage.put', 'storage.delete'],
  ...['events.publish', 'notify.send'],
])
const MAX_ANSWER = LIMITS.answerBytes.max

/** A call that a sandbox host has not answered yet. */
export interface PendingCall {
  readonly call: Call
  since: number
  /** It is in the sandbox host and not yet in the guest. */
  isWaiting: boolean
  /** Made with the first host call: most calls make none, and an abort is not cheap. */
  ended: AbortController | undefined
  overdue: NodeJS.Timeout | undefined
  /** What it was given beyond its wall clock, for time that was nobody's. */
  extendedMs: number
  /** What the sandbox host had lost when its clock started. */
  hostLostBefore: number
  hostCalls: number
  /** What the guest waits for, by number; made with the first host call. */
  asked: Map<string, Asked> | undefined
  /** Somebody else than the guest failed in it. */
  fault: Fault | undefined
  settle(result: LaneResult): void
}

/** A call that is about to be sent; its clock does not run yet. */
export function newPending(call: Call, isWaiting: boolean, settle: PendingCall['settle']): PendingCall {
  const nothingYet = { ended: undefined, overdue: undefined, asked: undefined, fault: undefined }
  return { call, since: 0, isWaiting, ...nothingYet, extendedMs: 0, hostLostBefore: 0, hostCalls: 0, settle }
}

/** A host call that was not answered yet. */
interface Asked {
  readonly operation: string
  readonly argument: string
  readonly at: number
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
  reply: (number: string, isOk: '0' | '1', value: string) => void,
  log: Logger,
): Promise<void> {
  pending.hostCalls++
  pending.asked ??= new Map()
  pending.asked.set(number, { operation, argument, at: performance.now() })
  const { signal } = (pending.ended ??= new AbortController())
  const answer = await pending.call
    .host(operation, argument, signal)
    .catch((error: unknown) => refuse(operation, error, log))
  if (signal.aborted) return
  pending.asked.delete(number)
  if (answer.ok && answer.value.length <= MAX_ANSWER) return reply(number, '1', answer.value)
  const { code, message, details } = answer.ok ? tooLarge(operation, answer.value.length) : answer
  if (NO_ANSWERS.has(code)) pending.fault ??= whoseOperation(operation)
  reply(number, '0', JSON.stringify({ code, message, details }))
}

/** Lays what became of a call to whoever it waited for, or was failed by; limits that were measured stay the guest's. */
export function withFault(outcome: Outcome, { call, asked, fault }: PendingCall): Outcome {
  if (outcome.ok || outcome.fault !== undefined) return outcome
  if (outcome.kind === 'timeout') {
    const since = performance.now() - call.limits.wallMs * MOST
    const open = [...(asked?.values() ?? [])].filter(({ operation }) => !OTHERS.test(operation))
    const longest = open.find(({ at }) => at <= since)
    if (!longest) return outcome
    return { ...outcome, fault: whoseOperation(longest.operation), awaited: open.some(maySave) ? 'saving' : 'other' }
  }
  return outcome.kind === 'threw' && fault && !isAnswer(outcome.error) ? { ...outcome, fault } : outcome
}

function tooLarge(operation: string, characters: number): Extract<HostAnswer, { ok: false }> {
  const message = `The answer to ${operation} has ${characters} characters, and one may have ${MAX_ANSWER}`
  return { ok: false, code: 'invalid', message, details: { reason: 'answer_too_large', limit: 'answer_bytes' } }
}

/** Whether it may have been done although its answer never came; within a transaction nothing is before its COMMIT. */
function maySave({ operation, argument }: Asked): boolean {
  if (operation !== QUERY) return SAVING.has(operation)
  const { tx, operation: verb } = readStatement(argument)
  return tx === undefined && verb !== 'select'
}

/** A guest may send anything; what cannot be read says nothing. */
function readStatement(argument: string): { readonly tx?: unknown; readonly operation?: unknown } {
  try {
    return (JSON.parse(argument) ?? {}) as object
  } catch {
    return {}
  }
}

function whoseOperation(operation: string): Fault {
  return operation.startsWith(DATABASE_OPERATION) ? 'database' : 'host'
}

/** A fault of ours: the guest learns that it failed and nothing else. */
function refuse(operation: string, error: unknown, log: Logger): HostAnswer {
  log.error({ err: error, operation }, 'a host call failed')
  return { ok: false, code: 'internal', message: `${operation} failed` }
}
