import type { ConfigSecretMembers } from './contract.ts'

/** Tells which members of a JSON item are secrets. */
export class SecretMembers implements ConfigSecretMembers {
  readonly #rules = new Map<string, (member: string) => boolean>()

  register(key: string, isSecret: (member: string) => boolean): Disposable {
    const rule = (member: string): boolean => isSecret(member)
    this.#rules.set(key, rule)
    return {
      [Symbol.dispose]: () => {
        if (this.#rules.get(key) === rule) this.#rules.delete(key)
      },
    }
  }

  isSecret(key: string, member: string): boolean {
    return this.#rules.get(key)?.(member) ?? false
  }
}
