import type { LostTime } from './lost-time.ts'
import type { PendingCall } from './pending-call.ts'
import { threadTime, type ThreadTime } from './thread-time.ts'

/** How long after the wall clock a host that has not answered is looked at. */
const overdueMs = 500
/** For how long it is watched then, and how soon it is asked again. */
const lookMs = 250

type Verdict = { readonly waitMs: number } | { readonly kill: 'wall' | 'starved' }

/**
 * Has a sandbox host ended that says nothing of a call in time: it cannot be trusted to say anything. Time in which the
 * platform itself was stopped, or the host tells that it was, is not counted; nor is a machine that lets the host wait, up to
 * the wall clock once more.
 */
export class Overdue {
  readonly #pid: number
  readonly #lost: LostTime
  readonly #kill: (reason: 'wall' | 'starved', call: number) => void
  readonly #seen = new WeakMap<PendingCall, ThreadTime>()
  /** Of the host, as it tells itself. */
  #hostLostMs = 0

  constructor(pid: number, lost: LostTime, kill: (reason: 'wall' | 'starved', call: number) => void) {
    this.#pid = pid
    this.#lost = lost
    this.#kill = kill
  }

  /** The clock of a call starts, or starts anew with its turn. */
  start(id: number, pending: PendingCall): void {
    pending.since = performance.now()
    pending.hostLostBefore = this.#hostLostMs
    this.#look(id, pending, pending.call.limits.wallMs + overdueMs)
  }

  /** The host was stopped, or got no time. */
  hostLost(milliseconds: number): void {
    if (milliseconds > 0) this.#hostLostMs += milliseconds
  }

  #look(id: number, pending: PendingCall, afterMs: number): void {
    clearTimeout(pending.overdue)
    pending.overdue = setTimeout(() => {
      const verdict = this.#judge(pending)
      if ('kill' in verdict) this.#kill(verdict.kill, id)
      else this.#look(id, pending, verdict.waitMs)
    }, afterMs)
  }

  #judge(pending: PendingCall): Verdict {
    const { since, hostLostBefore, extendedMs, call } = pending
    const lost = Math.min(call.limits.wallMs, this.#lost.since(since) + this.#hostLostMs - hostLostBefore)
    if (lost > extendedMs) {
      pending.extendedMs = lost
      return { waitMs: Math.max(lookMs, lost - extendedMs) }
    }
    const before = this.#seen.get(pending)
    const now = threadTime(this.#pid)
    this.#seen.set(pending, now)
    if (now.isStopped) return { kill: 'starved' }
    if (!before) return { waitMs: lookMs }
    if (!isStarved(before, now)) return { kill: 'wall' }
    pending.extendedMs += lookMs
    return extendedMs < call.limits.wallMs ? { waitMs: lookMs } : { kill: 'starved' }
  }
}

/** Whether the machine let the first thread of a process wait; one that its own other threads kept waiting is nobody else's doing. */
export function isStarved(before: ThreadTime, now: ThreadTime): boolean {
  const waited = now.waitedMs - before.waitedMs
  if (waited <= lookMs / 5 || waited <= now.ranMs - before.ranMs) return false
  return now.othersRanMs - before.othersRanMs < waited
}
