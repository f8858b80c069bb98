import type { PasswordComplexity } from '../session/session.ts'

/** What a new password has to be, as far as that can be told while it is typed. */
export interface PasswordDemands {
  readonly least: number
  readonly complexity: PasswordComplexity
}

/** A kind of character that a password may have to have. */
export type CharacterKind = 'letter' | 'upper' | 'lower' | 'digit' | 'symbol'

/** How far a password is. */
interface PasswordStrength {
  /** Of 100. */
  readonly share: number
  readonly word: 'tooShort' | 'lacks' | 'fair' | 'strong'
  /** The kinds that it lacks. */
  readonly missing: readonly CharacterKind[]
}

const more = 6
const patterns: Readonly<Record<CharacterKind, RegExp>> = {
  letter: /\p{L}/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  digit: /\p{N}/u,
  symbol: /[^\p{L}\p{N}\s]/u,
}
const kinds: Readonly<Record<PasswordComplexity, readonly CharacterKind[]>> = {
  none: [],
  letters_digits: ['letter', 'digit'],
  mixed_case_digits: ['upper', 'lower', 'digit'],
  all_classes: ['upper', 'lower', 'digit', 'symbol'],
}

/** The share of a meter up to which a password will be refused. */
export function refusedShare({ least }: PasswordDemands): number {
  return Math.round((least / (least + more)) * 100)
}

/** The kinds of characters that a password must have. */
export function demandedKinds({ complexity }: PasswordDemands): readonly CharacterKind[] {
  return kinds[complexity]
}

/** How far a password is on the way to one that is taken: by its length and its kinds of characters. */
export function strengthOf(password: string, demands: PasswordDemands): PasswordStrength {
  const text = password.normalize('NFKC')
  const { length } = [...text]
  const missing = demandedKinds(demands).filter((kind) => !patterns[kind].test(text))
  const share = Math.min(100, Math.round((length / (demands.least + more)) * 100))
  if (length < demands.least) return { share, word: 'tooShort', missing }
  if (missing.length > 0) return { share: Math.min(share, refusedShare(demands) - 1), word: 'lacks', missing }
  return { share, word: length < demands.least + more ? 'fair' : 'strong', missing }
}
