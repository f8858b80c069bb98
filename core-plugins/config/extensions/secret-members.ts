import type { BondOf, ConfigSecretMembers } from '../contract-extensions.ts'

interface Rule {
  readonly isSecret: (member: string) => boolean
  readonly bondOf: BondOf | undefined
}

/** Tells which members of a JSON item are secrets. */
export class SecretMembers implements ConfigSecretMembers {
  readonly #rules = new Map<string, Rule>()

  register(...[key, isSecret, bondOf]: Parameters<ConfigSecretMembers['register']>): Disposable {
    const rule: Rule = { isSecret: (member) => isSecret(member), bondOf }
    this.#rules.set(key, rule)
    return {
      [Symbol.dispose]: () => {
        if (this.#rules.get(key) === rule) this.#rules.delete(key)
      },
    }
  }

  isSecret(key: string, member: string): boolean {
    return this.#rules.get(key)?.isSecret(member) ?? false
  }

  /** What says where a key's secret members go; undefined where nothing does. */
  bondOf(key: string): BondOf | undefined {
    return this.#rules.get(key)?.bondOf
  }
}
