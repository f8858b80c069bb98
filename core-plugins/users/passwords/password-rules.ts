import type { FieldError } from '#kernel'
import { isCommonPassword } from './common-passwords.ts'

/** What a new password must be. */
export interface PasswordRules {
  readonly minLength: number
  readonly complexity: string
  /** Names of the site, the tenant and the user, addresses too, which a password must not consist of. */
  readonly names: readonly string[]
  /** What is guessed first, in lower case. */
  readonly common: ReadonlySet<string>
}

const longest = 128
const shortestStretch = 3
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiopasdfghjklzxcvbnm']
const columns = ['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik', '1q2w3e4r5t6y7u8i9o0p', 'qazwsxedcrfvtgbyhnujmik']
const forwards = [...rows, ...columns, 'qwertzuiopasdfghjklyxcvbnm', 'azertyuiopqsdfghjklmwxcvbn']
const stretches = [...forwards, ...forwards.map((line) => [...line].reverse().join(''))]
const complexities: Readonly<Record<string, readonly RegExp[]>> = {
  letters_digits: [/\p{L}/u, /\p{N}/u],
  mixed_case_digits: [/\p{Lu}/u, /\p{Ll}/u, /\p{N}/u],
  all_classes: [/\p{Lu}/u, /\p{Ll}/u, /\p{N}/u, /[^\p{L}\p{N}\s]/u],
}

/** Every rule that a new password breaks. */
export function checkPassword(password: string, rules: PasswordRules): readonly FieldError[] {
  const text = password.normalize('NFKC')
  const length = [...text].length
  const plain = text.toLowerCase()
  const faults: FieldError[] = []
  const report = (rule: string, message: string, params?: Record<string, unknown>) =>
    void faults.push({ field: 'password', rule, message, ...(params && { params }) })

  if (length < rules.minLength || length > longest) {
    report('length', 'has too few or too many characters', { min: rules.minLength, max: longest })
  }
  if (isCommonPassword(plain, rules.common) || isRepetition(plain) || isSequence(plain))
    report('blocklist', 'is among the first that are tried')
  if (rules.names.some((name) => consistsOf(plain, name))) report('similarity', 'is made of a name or an address')
  if (complexities[rules.complexity]?.some((pattern) => !pattern.test(text))) {
    report('complexity', 'lacks a kind of character', { complexity: rules.complexity })
  }
  return faults
}

/** Whether a text is one or two characters, or a few of them again and again, with at most three behind them. */
function isRepetition(text: string): boolean {
  if (new Set(text).size <= 2) return true
  return [0, 1, 2, 3].some((behind) => hasPeriod(text.slice(0, text.length - behind)))
}

function hasPeriod(text: string): boolean {
  return [2, 3, 4, 5, 6].some((period) => text.length >= 2 * period && text.startsWith(text.slice(period)))
}

/** Whether a text is at most three stretches of the alphabet, the digits or the keyboard, in either direction. */
function isSequence(text: string): boolean {
  let rest = text
  for (let count = 0; count < 3 && rest !== ''; count++) {
    let length = rest.length
    while (length >= shortestStretch && !isStretch(rest.slice(0, length))) length -= 1
    if (length < shortestStretch) return false
    rest = rest.slice(length)
  }
  return rest === ''
}

function isStretch(text: string): boolean {
  return stretches.some((line) => line.includes(text))
}

/** Whether little is left of a text without a name. */
function consistsOf(text: string, name: string): boolean {
  const [letters, word] = [text, name.toLowerCase()].map((value) => value.replace(/[^\p{L}\p{N}]/gu, ''))
  if (letters === undefined || word === undefined || word.length < 3) return false
  return letters.replaceAll(word, '').length < 4 && letters.includes(word)
}
