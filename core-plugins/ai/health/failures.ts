import type { Figures } from '../stats/figures.ts'

/** What the caller did is no fault of a target. */
const ofCallers = new Set(['bad_request', 'context_length', 'content_filter', 'not_found'])

/** What went wrong at targets, by what, and how many attempts said something of them. */
export function failuresOf({ errors, success }: Figures) {
  const bad = Object.entries(errors).filter(([kind]) => !ofCallers.has(kind))
  const failed = bad.reduce((sum, [, count]) => sum + count, 0)
  const [worst] = bad.toSorted(([, a], [, b]) => b - a)
  return { failed, counted: success + failed, worst: worst?.[0] }
}
