import type { FieldError } from '#kernel'
import { commonPasswords } from './common-passwords.ts'

/** What a new password must be. */
export interface PasswordRules {
  readonly minLength: number
  readonly complexity: string
  /** Names of the site and the user, which a password must not consist of. */
  readonly names: readonly string[]
}

const longest = 128
const runs = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiopasdfghjklzxcvbnm', 'qwertyuiop', 'asdfghjkl']
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
  if (commonPasswords.has(plain) || isRun(plain)) report('blocklist', 'is among the first that are tried')
  if (rules.names.some((name) => consistsOf(plain, name))) report('similarity', 'is made of a name')
  if (complexities[rules.complexity]?.some((pattern) => !pattern.test(text))) {
    report('complexity', 'lacks a kind of character', { complexity: rules.complexity })
  }
  return faults
}

/** Whether a text is one or two characters again and again, or a stretch of the alphabet or the keyboard. */
function isRun(text: string): boolean {
  if (new Set(text).size <= 2) return true
  const backwards = [...text].reverse().join('')
  return runs.some((run) => run.includes(text) || run.includes(backwards))
}

/** Whether little is left of a text without a name. */
function consistsOf(text: string, name: string): boolean {
  const [letters, word] = [text, name.toLowerCase()].map((value) => value.replace(/[^\p{L}\p{N}]/gu, ''))
  if (letters === undefined || word === undefined || word.length < 3) return false
  return letters.replaceAll(word, '').length < 4 && letters.includes(word)
}
