import type { Failure } from '../wire/call.ts'
import { guestCpuMs } from './cpu-clock.ts'
import { CpuSpentError } from './entry-queue.ts'
import type { GuestCall } from './guest-call.ts'
import { guestStack } from './guest-stack.ts'
import type { Watch } from './watch.ts'

const TIMED_OUT = 'Script execution timed out.'
const MAX_TEXT = 2_000

/** Whose fault it is when there was no time to be had. */
const MACHINE = { fault: 'machine' } as const

/** How a call ends that has spent its CPU time. */
export const CPU_SPENT: Failure = { ok: false, kind: 'limit', limit: 'cpu' }

/** What an exception out of a living isolate means: a limit of CPU time only when that was spent. */
export function explain(call: GuestCall, error: unknown, watch: Watch): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CpuSpentError || message === TIMED_OUT) {
    call.correctCpu(guestCpuMs())
    if (call.hasSpentCpu) return CPU_SPENT
    watch.starved()
    return { ok: false, kind: 'killed', cause: 'starved', ...MACHINE }
  }
  return { ok: false, kind: 'load', message: message.slice(0, MAX_TEXT), ...guestStack(error, MAX_TEXT) }
}

/** On a busy machine, a guest that was about to run, or ran, and had CPU time left got no time, unless it had the host work for it. */
export function timedOut({ entries, digests }: GuestCall, watch: Watch): Failure {
  const isMachine = entries > 0 && digests === 0 && watch.isStarved
  return { ok: false, kind: 'timeout', ...(isMachine ? MACHINE : {}) }
}

/** The limit that a call met first, which is the one it is told of. */
export function limitOf({ ending }: GuestCall): Failure | undefined {
  return ending && !ending.ok && ending.kind === 'limit' ? ending : undefined
}
