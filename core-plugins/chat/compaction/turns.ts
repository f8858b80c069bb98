import { tokensIn } from './tokens.ts'
import type { CompactMessage, Turn } from './types.ts'

/** What is summarised, and what is kept as it is. */
interface Split {
  readonly covered: readonly Turn[]
  readonly tail: readonly Turn[]
}

/** Messages by their questions. */
export function turnsOf<M extends Pick<CompactMessage, 'role'>>(messages: readonly M[]): readonly (readonly M[])[] {
  const turns: M[][] = []
  for (const message of messages) {
    const open = turns.at(-1)
    if (message.role === 'user' || !open) turns.push([message])
    else open.push(message)
  }
  return turns
}

/** Keeps the last `most` turns as they are. */
export function keepLast(turns: readonly Turn[], most: number): Split {
  const at = Math.max(0, turns.length - most)
  return { covered: turns.slice(0, at), tail: turns.slice(at) }
}

/** Keeps the last `least` turns, and those before them while all that is kept has at most so many tokens. */
export function keepWithin(turns: readonly Turn[], least: number, mostTokens: number): Split {
  let kept = 0
  let tokens = 0
  for (const turn of turns.toReversed()) {
    tokens += tokensOfTurn(turn)
    if (kept >= least && tokens > mostTokens) break
    kept += 1
  }
  return keepLast(turns, kept)
}

/** About how many tokens a turn is. */
export function tokensOfTurn(turn: Turn): number {
  return tokensIn(turn.flatMap(({ said }) => said))
}
