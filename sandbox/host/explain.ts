import type { Failure } from '../wire/call.ts'
import { guestCpuMs } from './cpu-clock.ts'
import { CpuSpentError } from './entry-queue.ts'
import type { GuestCall } from './guest-call.ts'
import { guestStack } from './guest-stack.ts'
import type { Watch } from './watch.ts'

const timeoutMessage = 'Script execution timed out.'
const maxText = 2_000

/** Whose fault it is when there was no time to be had. */
const machine = { fault: 'machine' } as const

/** How a call ends that has spent its CPU time. */
export const cpuSpent: Failure = { ok: false, kind: 'limit', limit: 'cpu' }

/** What an exception out of a living isolate means: a limit of CPU time only when that was spent. */
export function explain(call: GuestCall, error: unknown, watch: Watch): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CpuSpentError || message === timeoutMessage) {
    call.correctCpu(guestCpuMs())
    if (call.hasSpentCpu) return { ...cpuSpent, ...guestStack(error, maxText) }
    watch.starved()
    return { ok: false, kind: 'killed', cause: 'starved', ...machine }
  }
  return { ok: false, kind: 'load', message: message.slice(0, maxText), ...guestStack(error, maxText) }
}

/** On a busy machine, a guest that was about to run, or ran, and had CPU time left got no time, unless it had the host work for it. */
export function timedOut({ entries, digests }: GuestCall, watch: Watch): Failure {
  const isMachine = entries > 0 && digests === 0 && watch.isStarved
  return { ok: false, kind: 'timeout', ...(isMachine ? machine : {}) }
}

/** The limit that a call met first, which is the one it is told of. */
export function limitOf({ ending }: GuestCall): Failure | undefined {
  return ending && !ending.ok && ending.kind === 'limit' ? ending : undefined
}
