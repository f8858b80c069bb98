import type { CaptchaDifficulty } from './contract.ts'

/** From easy to hard. */
export const difficulties: readonly CaptchaDifficulty[] = ['easy', 'medium', 'hard']

/** The harder of two. */
export function harderOf(one: CaptchaDifficulty, other: CaptchaDifficulty): CaptchaDifficulty {
  return isAtLeast(one, other) ? one : other
}

/** Whether one is as hard as another or harder. */
export function isAtLeast(one: CaptchaDifficulty, other: CaptchaDifficulty): boolean {
  return difficulties.indexOf(one) >= difficulties.indexOf(other)
}
