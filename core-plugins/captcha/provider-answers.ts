import type { MadeChallenge } from './contract.ts'

const mostCharacters = 65_536

/** What somebody asked of a provider is not what it answered. */
class ProviderAnswerError extends Error {
  override readonly name = 'ProviderAnswerError'
}

/** What became of an answer. */
export interface Verdict {
  readonly valid: boolean
  readonly score?: number
}

/** A challenge as a provider has to make it: both parts JSON, in 64 k characters each, or the cache would be the plugin's to fill. */
export function checkMade(made: unknown): MadeChallenge {
  const { challenge, secret } = (made ?? {}) as Partial<MadeChallenge>
  for (const part of [challenge, secret]) {
    const length = (JSON.stringify(part) as string | undefined)?.length ?? Infinity
    if (length > mostCharacters) throw new ProviderAnswerError('The challenge is missing or too large')
  }
  return { challenge, secret }
}

/** A verdict as a provider has to give it: nothing but true is a yes. */
export function checkVerdict(verdict: unknown): Verdict {
  const { valid, score } = (verdict ?? {}) as Partial<Record<keyof Verdict, unknown>>
  if (typeof valid !== 'boolean') throw new ProviderAnswerError('The verdict is neither true nor false')
  if (score === undefined) return { valid }
  if (!Number.isFinite(score)) throw new ProviderAnswerError('The score is not a number')
  return { valid, score: score as number }
}
