import {
  ExpiringMap,
  type Scope,
  type Tenant,
  type TenantResolver,
  tenantsClosed,
  tenantsCreated,
  tenantsUpdated,
} from '#kernel'
import { configChanged, valuesChanged, type ConfigReader } from '../config/contract.ts'
import type { TenantRecord } from './contract.ts'
import { readPlatformNames } from './domain-name.ts'
import type { TenantStore } from './store.ts'

/** The configuration that says which names are the platform's. */
const namesGroup = 'platform_domain'
const foundMilliseconds = 60_000
const missedMilliseconds = 5_000
// Names come from whoever sends a request, so what is kept of them is bounded.
const keptAtMost = 10_000

/** Makes the resolver, which forgets what it found when tenants or the platform's domains change, on whichever host. */
export function startResolver(scope: Scope, store: TenantStore, config: ConfigReader): CachedTenantResolver {
  const resolver = new CachedTenantResolver(store, config)
  for (const event of [tenantsCreated, tenantsUpdated, tenantsClosed]) {
    scope.on<unknown>(event, () => resolver.forget(), 'every-host')
  }
  // Of no other group, or each write of one tenant would cost all of them their look-up.
  scope.on(configChanged, ({ group }) => void (group === namesGroup && resolver.forget()), 'every-host')
  scope.onChanges('tenants.found', () => resolver.forget())
  scope.onChanges(valuesChanged, (tenants) => {
    if (tenants === 'all' || tenants.includes('0')) resolver.forget()
  })
  return resolver
}

/** Finds tenants for every request; what was found is kept in this process until something changes. */
class CachedTenantResolver implements TenantResolver {
  readonly #kept = new ExpiringMap<string, Tenant>(keptAtMost)
  // Apart, so that names nobody has do not drive out those that tenants have.
  readonly #missed = new ExpiringMap<string, true>(keptAtMost)
  readonly #store: TenantStore
  readonly #config: ConfigReader
  #changes = 0

  constructor(store: TenantStore, config: ConfigReader) {
    this.#store = store
    this.#config = config
  }

  async byId(id: number): Promise<Tenant | undefined> {
    return this.#keep(`id:${id}`, () => this.#store.find(id))
  }

  async byCode(code: string): Promise<Tenant | undefined> {
    return this.#keep(`code:${code}`, () => this.#store.findByCode(code))
  }

  async byHost(host: string): Promise<Tenant | undefined> {
    return host === '' ? undefined : this.#keep(`host:${host}`, () => this.#findByHost(host))
  }

  knownById(id: number): Tenant | undefined {
    return this.#kept.get(`id:${id}`)
  }

  knownByHost(host: string): Tenant | 'none' | undefined {
    if (host === '') return 'none'
    const key = `host:${host}`
    return this.#kept.get(key) ?? (this.#missed.get(key) ? 'none' : undefined)
  }

  /** Forgets everything; also what is being loaded at the moment will not be kept. */
  forget(): void {
    this.#changes += 1
    this.#kept.clear()
    this.#missed.clear()
  }

  async #findByHost(host: string): Promise<TenantRecord | undefined> {
    const { own, suffix } = await readPlatformNames(this.#config)
    if (own.has(host)) return undefined
    const custom = await this.#store.findByDomain(host)
    if (custom || suffix === '' || !host.endsWith(`.${suffix}`)) return custom
    const code = host.slice(0, -suffix.length - 1)
    return code.includes('.') ? undefined : this.#store.findByCode(code)
  }

  async #keep(key: string, find: () => Promise<TenantRecord | undefined>): Promise<Tenant | undefined> {
    const known = this.#kept.get(key)
    if (known || this.#missed.get(key)) return known
    const changes = this.#changes
    const found = await find()
    const tenant = found && toTenant(found)
    if (changes !== this.#changes) return tenant
    if (found && tenant) this.#kept.set(key, tenant, keepingTime(found))
    else this.#missed.set(key, true, missedMilliseconds)
    return tenant
  }
}

function toTenant({ id, code, name, status, baseUrl }: TenantRecord): Tenant {
  return { id, code, name, status, baseUrl }
}

/** A tenant whose time ends is looked up anew when it does, so that it is shut without anybody's doing. */
function keepingTime({ expiresAt, status }: TenantRecord): number {
  if (expiresAt === null || status !== 'active') return foundMilliseconds
  return Math.min(foundMilliseconds, Math.max(0, expiresAt.getTime() - Date.now()))
}
