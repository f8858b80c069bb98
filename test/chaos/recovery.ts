import type { Attempt } from './ledger.ts'

/** How long a host took to be well again for who asks it then: until its first good answer, and until its last bad one. */
export interface Recovery {
  readonly firstMs: number | undefined
  readonly steadyMs: number
}

/** What the platform says about itself, and not about what it was asked for. */
export function isFailure({ status, code }: Attempt): boolean {
  return status === 0 || status >= 500 || code === 4031 || code === 4044
}

/** Of each host, from the moment at which nothing was broken any more. */
export function recoveryOf(attempts: readonly Attempt[], ended: number, to: number): readonly Recovery[] {
  return ([0, 1] as const).map((host) => {
    const after = attempts.filter((attempt) => attempt.host === host && attempt.from >= ended && attempt.from <= to)
    const first = after.find((attempt) => !isFailure(attempt))
    const failures = after.filter(isFailure).map((attempt) => attempt.to - ended)
    return { firstMs: first && first.to - ended, steadyMs: Math.max(0, ...failures) }
  })
}
