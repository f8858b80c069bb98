import { atomFinder, atomsIn } from './atoms.ts'
import { writeSummary } from './write-summary.ts'
import { tokensOf } from './tokens.ts'
import type { Summary, Turn } from './types.ts'

/** A summary that was compared with what it is of. */
interface Verified {
  readonly summary: Summary
  /** The share of the user's numbers, dates, ids, addresses and quotations that it holds, 0 to 1. */
  readonly fidelity: number
}

/** Adds to a summary what the user said exactly and it has not; where not all fits, the latest. */
export function verify(
  summary: Summary,
  turns: readonly Turn[],
  before: readonly string[],
  mostTokens: number,
): Verified {
  const said = turns.flatMap((turn) => turn.flatMap(({ role, content }) => (role === 'user' ? atomsIn(content) : [])))
  const atoms = [...new Set([...before, ...said])]
  const has = atomFinder(writeSummary({ ...summary, verbatim: [] }))
  const missing = atoms.filter((atom) => !has(atom))
  let tokens = 0
  const kept = missing.toReversed().filter((atom) => (tokens += tokensOf(atom) + 1) <= mostTokens)
  const verbatim = kept.toReversed()
  const held = atoms.length - (missing.length - verbatim.length)
  const fidelity = atoms.length === 0 ? 1 : Math.floor((held / atoms.length) * 1_000) / 1_000
  return { summary: { ...summary, verbatim }, fidelity }
}
