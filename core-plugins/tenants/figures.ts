import type { Access } from '../access/contract.ts'
import type { UserDirectory } from '../users/contract.ts'
import type { PluginCounts, TenantFigures, TenantOwner, TenantRecord } from './contract.ts'

const none: ReadonlyMap<number, number> = new Map()

/** What figures of tenants stand on. */
interface FigureParts {
  readonly access: Pick<Access, 'firstHolders'>
  readonly users: Pick<UserDirectory, 'byId' | 'countIn'>
}

/** Counts what tenants have, for many of them at once. */
export class TenantCounts {
  readonly #parts: FigureParts
  #plugins: PluginCounts | undefined

  constructor(parts: FigureParts) {
    this.#parts = parts
  }

  /** Asks this source about plugins, until the result is disposed. */
  countPlugins(source: PluginCounts): Disposable {
    this.#plugins = source
    return { [Symbol.dispose]: () => void (this.#plugins = undefined) }
  }

  /** Tenants with what each has. */
  async complete(tenants: readonly TenantRecord[]): Promise<readonly (TenantRecord & TenantFigures)[]> {
    if (tenants.length === 0) return []
    const ids = tenants.map(({ id }) => id)
    const [users, owners, plugins] = await Promise.all([
      this.#parts.users.countIn(ids),
      this.#owners(ids),
      this.#plugins?.(ids) ?? none,
    ])
    return tenants.map((tenant) => ({
      ...tenant,
      users: users.get(tenant.id) ?? 0,
      plugins: plugins.get(tenant.id) ?? 0,
      owner: owners.get(tenant.id) ?? null,
    }))
  }

  async #owners(ids: readonly number[]): Promise<ReadonlyMap<number, TenantOwner>> {
    const holders = await this.#parts.access.firstHolders(ids, 'tenant_owner')
    const users = await this.#parts.users.byId([...holders.values()])
    return new Map(
      [...holders].flatMap(([tenantId, userId]) => {
        const user = users.get(userId)
        if (!user) return []
        const { nickname, account, email, avatarUrl } = user
        const name = nickname || account || email || String(userId)
        return [[tenantId, { id: userId, nickname: name, email, avatarUrl }] as const]
      }),
    )
  }
}
