import type { Logger } from '#kernel'

import { ctxMembers } from '../capabilities/ctx-members.ts'
import { sandboxLimits } from '../limits.ts'
import { isAnswer } from '../wire/outcome-error.ts'
import type { Call, Fault, HostAnswer, Outcome, Room } from '../wire/call.ts'
import type { LaneResult } from './kill.ts'
import type { LostTime } from './lost-time.ts'

/** The platform could not do it. `upstream` is what the guest asked somebody for: a host it named, a statement it wrote. */
const noAnswers: ReadonlySet<string> = new Set(['internal', 'unavailable'])
interface Signs {
  readonly saving?: readonly string[]
  readonly isElsewhere?: true
}

const members: readonly (readonly [name: string, member: Signs])[] = Object.entries(ctxMembers)
/** Changes that nobody is told of when they may have happened, since they may be lost at any time; twice would still be wrong. */
const passingKinds: ReadonlySet<string> = new Set(['cache.set', 'cache.delete'])
/** Who answers these was chosen by the guest. */
const others: ReadonlySet<string> = new Set(members.flatMap(([name, { isElsewhere }]) => (isElsewhere ? [name] : [])))
/** A wait is what took a call's time when it was so much of its clock. */
const mostShare = 0.5
/** Less of a pause than that is the usual unpunctuality of a busy process. */
const leastPauseMs = 500
const databaseOperation = 'db.'
const query = 'db.query'
/** What is there afterwards, in whatever store. */
const savingKinds: ReadonlySet<string> = new Set([
  'db.commit',
  'db.batch',
  ...members.flatMap(([name, { saving = [] }]) => saving.map((each: string) => `${name}.${each}`)),
])
/** Of the host calls that a late call waited for. */
const mostNamed = 5
const maxName = 64
const maxAnswer = sandboxLimits.answerBytes.max

/** A call that a sandbox host has not answered yet. */
export interface PendingCall {
  readonly call: Call
  since: number
  /** It is in the sandbox host and not yet in the guest. */
  isWaiting: boolean
  /** It left for the sandbox host; before that it waits for room for its input. */
  isSent: boolean
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
  /** It asked for something that is kept, which may have been done. */
  maySave: boolean
  /** It asked for more than to read, outside of a transaction that ends with it: it cannot simply be called again. */
  hasActed: boolean
  /** Somebody else than the guest failed in it. */
  fault: Fault | undefined
  settle(result: LaneResult): void
}

/** A call that is about to be sent; its clock does not run yet. */
export function newPending(call: Call, isWaiting: boolean, settle: PendingCall['settle']): PendingCall {
  const nothingYet = {
    ended: undefined,
    overdue: undefined,
    asked: undefined,
    fault: undefined,
    maySave: false,
    hasActed: false,
    isSent: false,
  }
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
  readonly room: Room
}

/** Has the host answer a guest, unless the call ends before. */
export async function answerHostCall(
  pending: PendingCall,
  { number, operation, argument, room }: HostCall,
  reply: (isOk: '0' | '1', value: string) => void,
  log: Logger,
): Promise<void> {
  pending.hostCalls++
  pending.asked ??= new Map()
  const asked = { operation, argument, at: performance.now() }
  pending.asked.set(number, asked)
  pending.maySave ||= maySave(asked)
  pending.hasActed ||= pending.maySave || passingKinds.has(operation) || others.has(memberOf(operation))
  const { signal } = (pending.ended ??= new AbortController())
  const answer = await pending.call
    .host(operation, argument, signal, room)
    .catch((error: unknown) => refuse(operation, error, log))
  if (signal.aborted) return
  pending.asked.delete(number)
  if (answer.ok && answer.value.length <= maxAnswer) return reply('1', answer.value)
  const { code, message, details } = answer.ok ? tooLarge(operation, answer.value.length) : answer
  if (noAnswers.has(code)) pending.fault ??= whoseOperation(operation)
  reply('0', JSON.stringify({ code, message, details }))
}

/** Lays what became of a call to whoever it waited for, or was failed by; limits that were measured stay the guest's. */
export function withFault(outcome: Outcome, pending: PendingCall, lost: Pick<LostTime, 'since'>): Outcome {
  if (outcome.ok) return outcome
  if (outcome.kind === 'timeout') {
    const waited = outcome.fault ?? whoseWait(pending, lost)
    const late = { ...outcome, ...openOf(pending) }
    return waited ? { ...late, fault: waited, awaited: pending.maySave ? 'saving' : 'other' } : late
  }
  const fault = outcome.fault ?? pending.fault
  return outcome.kind === 'threw' && fault && !isAnswer(outcome.error) ? { ...outcome, fault } : outcome
}

/** The host calls that were not answered yet, each operation once. */
function openOf({ asked }: PendingCall): { readonly open?: readonly string[] } {
  const open = [...new Set([...(asked?.values() ?? [])].map(({ operation }) => operation.slice(0, maxName)))]
  return open.length === 0 ? {} : { open: open.slice(0, mostNamed) }
}

/** Whom a call that took too long had waited for, if not for itself. */
function whoseWait({ call, asked, since }: PendingCall, lost: Pick<LostTime, 'since'>): Fault | undefined {
  const now = performance.now()
  const most = call.limits.wallMs * mostShare
  const open = [...(asked?.values() ?? [])].filter(({ operation }) => !others.has(memberOf(operation)))
  const [longest] = open
  // An answer that came while this process stood still could not be read.
  const waitedMs = longest ? now - longest.at - lost.since(longest.at) : 0
  // Whatever it asked for, be it its own code, and that its turn had come, is read only when this process goes on.
  const unseenMs = Math.max(lost.since(since), call.limits.wallMs - (now - since))
  if (longest && waitedMs >= most && waitedMs >= unseenMs) return whoseOperation(longest.operation)
  return unseenMs >= Math.max(most, leastPauseMs) ? 'machine' : undefined
}

function tooLarge(operation: string, characters: number): Extract<HostAnswer, { ok: false }> {
  const message = `The answer to ${operation} has ${characters} characters, and one may have ${maxAnswer}`
  return { ok: false, code: 'invalid', message, details: { reason: 'answer_too_large', limit: 'answer_bytes' } }
}

/** `http` of `http.fetch`. */
function memberOf(operation: string): string {
  return operation.slice(0, Math.max(0, operation.indexOf('.')))
}

/** Whether it may have been done although its answer never came; within a transaction nothing is before its COMMIT. */
function maySave({ operation, argument }: Asked): boolean {
  if (operation !== query) return savingKinds.has(operation)
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
  return operation.startsWith(databaseOperation) ? 'database' : 'host'
}

/** A fault of ours: the guest learns that it failed and nothing else. */
function refuse(operation: string, error: unknown, log: Logger): HostAnswer {
  log.error({ err: error, operation }, 'a host call failed')
  return { ok: false, code: 'internal', message: `${operation} failed` }
}
