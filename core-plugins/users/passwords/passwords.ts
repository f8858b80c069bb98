import type { ConfigReader } from '../../config/contract.ts'
import type { PasswordOwner } from '../contract.ts'
import { PasswordPolicyError } from '../errors.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { checkPassword } from './password-rules.ts'

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
    const [minLength, complexity, siteName] = await Promise.all([
      this.#config.get('password_min_length', owner.tenantId, owner.tenantId === 0 ? 12 : 8),
      this.#config.get('password_complexity', owner.tenantId, 'none'),
      this.#config.get('site_name', 0, ''),
    ])
    const names = [siteName, owner.email?.split('@')[0] ?? '', owner.nickname ?? '']
    const errors = checkPassword(password, { minLength, complexity, names })
    if (errors.length > 0) throw new PasswordPolicyError({ errors })
    return this.#hasher.hash(password)
  }
}
