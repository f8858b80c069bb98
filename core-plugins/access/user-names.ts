import type { CountedUsers, NamedUser, UserSource } from './contract.ts'

/** What users are called and how many there are, as far as a plugin is there that has them. */
export class UserNames {
  #source: UserSource | undefined

  /** Asks this source, until the result is disposed. */
  use(source: UserSource): Disposable {
    this.#source = source
    return { [Symbol.dispose]: () => void (this.#source = undefined) }
  }

  /** The names of some users of a tenant; those who are gone have none. */
  async of(tenantId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, NamedUser>> {
    return userIds.length === 0 || !this.#source ? new Map() : this.#source.namesOf(tenantId, [...new Set(userIds)])
  }

  /** The names of users of whatever tenants. */
  async anywhere(userIds: readonly number[]): Promise<ReadonlyMap<number, NamedUser & { readonly tenantId: number }>> {
    return userIds.length === 0 || !this.#source ? new Map() : this.#source.namesAnywhere([...new Set(userIds)])
  }

  /** How many users of a tenant there are within reach. */
  async count(tenantId: number, users: CountedUsers): Promise<number> {
    return users.ids?.length === 0 || !this.#source ? 0 : this.#source.count(tenantId, users)
  }
}

/** A user beside an id, as the wire shows one; null where the user is gone. */
export function presentUser(id: number, users: ReadonlyMap<number, NamedUser>) {
  const user = users.get(id)
  return user ? { id, nickname: user.nickname, avatar_url: user.avatarUrl } : null
}
