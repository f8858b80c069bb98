import type { Knex } from 'knex'
import {
  NotFoundError,
  presentPage,
  ValidationFailedError,
  type Page,
  type Principal,
  type Scope,
  tenantsClosed,
  tenantsCreated,
  tenantsUpdated,
} from '#kernel'
import type { Access, Audit, Writer } from '../access/contract.ts'
import type { ConfigReader } from '../config/contract.ts'
import type { DeliveryChanges } from '../mail/contract.ts'
import type { PresentedUser, UserDirectory } from '../users/contract.ts'
import type { NamedTenant, NewTenant, PluginCounts, TenantDirectory, TenantFigures, TenantRecord } from './contract.ts'
import { readPlatformNames } from './domain-name.ts'
import { readCnameTarget, readCustomDomain } from './domains/custom-domain.ts'
import { passLeading } from './domains/leading.ts'
import type { TenantErasure } from './erasure.ts'
import type { TenantCounts } from './figures.ts'
import { presentTenant, presentWithFigures } from './present.ts'
import { isReservedCode } from './reserved-codes.ts'
import type { TenantFilter, TenantPatch, TenantStore } from './store.ts'

/** What tenants stand on. */
interface TenantParts {
  readonly scope: Scope
  readonly store: TenantStore
  readonly erasure: TenantErasure
  readonly users: UserDirectory
  readonly access: Access
  readonly audit: Audit
  readonly config: ConfigReader
  readonly delivery: DeliveryChanges
  readonly counts: TenantCounts
}

/** Tenants as administrators manage them and as other plugins find them. */
export class TenantService implements TenantDirectory {
  readonly #parts: TenantParts

  constructor(parts: TenantParts) {
    this.#parts = parts
  }

  async get(id: number): Promise<TenantRecord> {
    const tenant = await this.#parts.store.find(id)
    if (!tenant) throw new NotFoundError()
    return tenant
  }

  /** A tenant with what it has. */
  async detail(id: number): Promise<TenantRecord & TenantFigures> {
    const [tenant] = await this.#parts.counts.complete([await this.get(id)])
    if (!tenant) throw new NotFoundError()
    return tenant
  }

  countPlugins(source: PluginCounts): Disposable {
    return this.#parts.counts.countPlugins(source)
  }

  async list(): Promise<readonly TenantRecord[]> {
    return this.#parts.store.list()
  }

  named(ids: readonly number[], trx?: Knex.Transaction): Promise<ReadonlyMap<number, NamedTenant>> {
    return this.#parts.store.named(ids, trx)
  }

  async page(page: Page, filter: TenantFilter) {
    const { store, counts } = this.#parts
    const { total, items } = await store.page(page, filter)
    const tenants = await counts.complete(items)
    return presentPage(page, total, tenants.map(presentWithFigures))
  }

  async create(
    { code, name, domains = [], owner }: NewTenant,
    actor: Principal | null,
    traceId?: string,
  ): Promise<TenantRecord & { owner: PresentedUser }> {
    const { scope, store, users, access, audit } = this.#parts
    if (await this.#isReserved(code)) throw reservedCode()
    const names = await this.#readDomains(domains)
    // The rules of a password are those of its tenant, and no transaction should wait for the hash.
    const id = await store.reserveId()
    const { password, ...person } = owner
    const holder = { tenantId: id, tenantName: name, field: 'owner.password', ...person }
    const passwordHash = await users.hashPassword(password, holder)
    const user = await scope.db.transaction(async (trx) => {
      await store.insert({ id, code, name }, trx)
      await store.putDomains(id, names, trx)
      await access.seedTenantRoles(id, trx)
      const created = await users.create(id, { ...person, passwordHash }, trx)
      await access.assignRoles(id, created.id, ['tenant_owner'], trx)
      const after = { code, name, domains: names, owner: { email: person.email } }
      const entry = { tenantId: 0, actor, action: 'platform_tenant.created', target: `tenant:${id}`, after }
      await audit.record(traceId === undefined ? entry : { ...entry, traceId }, trx)
      await scope.emitWithin(trx, tenantsCreated, { tenantId: id, code })
      return created
    })
    await scope.emit(tenantsCreated, { tenantId: id, code })
    return { ...(await this.get(id)), owner: await users.present(user) }
  }

  async update(id: number, patch: TenantPatch, { principal, state }: Writer): Promise<TenantRecord> {
    const { scope, store, audit, access, delivery } = this.#parts
    const names = patch.domains && (await this.#readDomains(patch.domains))
    const isKept = patch.code === undefined || patch.code === (await store.find(id))?.code
    if (patch.code !== undefined && !isKept && (await this.#isReserved(patch.code))) throw reservedCode()
    await scope.db.transaction(async (trx) => {
      await store.lock(id, trx)
      const before = await store.find(id, trx)
      if (!before) throw new NotFoundError()
      await store.patch(id, { ...patch, domains: names }, trx)
      const after = (await store.find(id, trx)) ?? before
      if (leadsElsewhere(before, after)) await passLeading({ access, delivery }, principal, id, trx)
      await audit.record(
        {
          tenantId: 0,
          actor: principal,
          action: 'platform_tenant.updated',
          target: `tenant:${id}`,
          before: presentTenant(before),
          after: presentTenant(after),
          traceId: state.traceId,
        },
        trx,
      )
      await scope.emitWithin(trx, tenantsUpdated, { tenantId: id })
    })
    await scope.emit(tenantsUpdated, { tenantId: id })
    return this.get(id)
  }

  async delete(id: number, { principal, state }: Writer): Promise<void> {
    const { scope, store, audit, erasure } = this.#parts
    await scope.db.transaction(async (trx) => {
      await store.lock(id, trx)
      const before = await store.find(id, trx)
      if (!before) throw new NotFoundError()
      await store.delete(id, trx)
      const entry = { tenantId: 0, actor: principal, action: 'platform_tenant.deleted', target: `tenant:${id}` }
      await audit.record({ ...entry, before: presentTenant(before), traceId: state.traceId }, trx)
    })
    // Every host forgets it before the erasure begins, which may take a while.
    await scope.emit(tenantsClosed, { tenantId: id })
    erasure.begin(id)
  }

  /** Whether the subdomain of a code means something else, or could pass for another's in the disguise of punycode. */
  async #isReserved(code: string): Promise<boolean> {
    const { config } = this.#parts
    const [{ own, suffix }, target] = await Promise.all([readPlatformNames(config), readCnameTarget(config)])
    const name = `${code}.${suffix}`
    return isReservedCode(code) || own.has(name) || name === target
  }

  async #readDomains(domains: readonly string[]): Promise<readonly string[]> {
    const { config, scope } = this.#parts
    const rules = { config, publicUrl: scope.env.publicUrl }
    return Promise.all(domains.map((domain) => readCustomDomain(domain, rules)))
  }
}

/** Whether links lead to another domain of the tenant's own; back to the platform's they may lead at any time. */
function leadsElsewhere(before: TenantRecord, after: TenantRecord): boolean {
  const primary = after.domains.find((domain) => domain.primary && domain.verified)
  return primary !== undefined && before.baseUrl !== after.baseUrl
}

function reservedCode() {
  return new ValidationFailedError({ errors: [{ field: 'code', rule: 'reserved', message: 'is reserved' }] })
}
