import type { Access } from '../access/contract.ts'
import type { ConfigTenantNames, NamedConfigTenant } from './contract-extensions.ts'

/** What stands beside the ids of users and tenants. */
export class ConfigNames {
  readonly #access: Pick<Access, 'namesOf'>
  #tenants: ConfigTenantNames | undefined

  constructor(access: Pick<Access, 'namesOf'>) {
    this.#access = access
  }

  /** Asks this source about tenants, until the result is disposed. */
  nameTenants(source: ConfigTenantNames): Disposable {
    this.#tenants = source
    return { [Symbol.dispose]: () => void (this.#tenants = undefined) }
  }

  /** Tenants by id; those that are gone are absent. */
  async tenants(ids: readonly number[]): Promise<ReadonlyMap<number, NamedConfigTenant>> {
    const asked = new Set(ids.filter((id) => id > 0))
    return asked.size === 0 || !this.#tenants ? new Map() : this.#tenants([...asked])
  }

  /** What users are called, as far as a reader may know: a tenant (0 is the platform) knows its own alone. */
  async users(ids: readonly (number | null)[], reader: number): Promise<ReadonlyMap<number, string>> {
    const users = await this.#access.namesOf(ids.filter((id) => id !== null))
    const known = [...users].filter(([, { tenantId }]) => reader === 0 || tenantId === reader)
    return new Map(known.map(([id, { nickname }]) => [id, nickname]))
  }
}
