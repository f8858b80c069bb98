import type { ConfigReader } from '../../config/contract.ts'
import type { PasswordOwner } from '../contract.ts'
import { PasswordPolicyError } from '../errors.ts'
import { commonPasswords } from './common-passwords.ts'
import { generatePassword } from './generate-password.ts'
import { ownNames } from './own-names.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { checkPassword, type PasswordRules } from './password-rules.ts'

/** The owner of a password that is to be replaced. */
interface PasswordHolder extends PasswordOwner {
  readonly passwordHash: string | null
}

/** Turns new passwords into hashes, if the rules of their tenant let them. */
export class Passwords {
  readonly #config: ConfigReader
  readonly #hasher: PasswordHasher

  constructor(config: ConfigReader, hasher: PasswordHasher) {
    this.#config = config
    this.#hasher = hasher
  }

  /** Throws 422/4223 with every rule that is broken. */
  async hash(password: string, owner: PasswordOwner): Promise<string> {
    const faults = checkPassword(password, await this.#rules(owner))
    const { field = 'password' } = owner
    if (faults.length > 0) throw new PasswordPolicyError({ errors: faults.map((fault) => ({ ...fault, field })) })
    return this.#hasher.hash(password)
  }

  /** The same for a password that replaces one: the present one again breaks the rule `history`. */
  async hashAnother(password: string, holder: PasswordHolder): Promise<string> {
    const hash = await this.hash(password, holder)
    if (holder.passwordHash === null) return hash
    const { fits } = await this.#hasher.compare(password, holder.passwordHash)
    if (!fits) return hash
    throw new PasswordPolicyError({
      errors: [{ field: holder.field ?? 'password', rule: 'history', message: 'is the present password' }],
    })
  }

  /** A random password that the rules let pass, for somebody who will choose another. */
  async generate(owner: PasswordOwner): Promise<string> {
    const rules = await this.#rules(owner)
    let password: string
    // A name of three letters may stand in random ones by chance.
    do password = generatePassword(rules.minLength)
    while (checkPassword(password, rules).length > 0)
    return password
  }

  async #rules(owner: PasswordOwner): Promise<PasswordRules> {
    const { tenantId, tenantName } = owner
    const [minLength, complexity, siteName, common] = await Promise.all([
      this.#config.get('password_min_length', tenantId, tenantId === 0 ? 12 : 8),
      this.#config.get('password_complexity', tenantId, 'none'),
      this.#config.get('site_name', 0, ''),
      commonPasswords(),
    ])
    const names = [siteName, tenantName ?? '', ...ownNames(owner)]
    return { minLength, complexity, names, common }
  }
}
