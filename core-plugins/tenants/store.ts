import type { Knex } from 'knex'
import { wherePeriod, type Page, type Period } from '#kernel'
import type { BaseUrlOf } from './base-url.ts'
import type { NamedTenant, TenantRecord } from './contract.ts'
import { DomainTakenError, TenantCodeTakenError } from './errors.ts'
import { DomainRow, TenantRow } from './models.ts'
import { toRecord } from './present.ts'

/** Which tenants a list shows; what is left out does not matter. */
export interface TenantFilter extends Period {
  readonly code?: string
  readonly ids?: readonly number[] | undefined
  readonly status?: 'active' | 'disabled' | 'expired'
}

/** What of a tenant may change. */
export interface TenantPatch {
  /** Also its subdomain; the old one names nobody from then on. */
  readonly code?: string | undefined
  readonly name?: string | undefined
  readonly status?: 'active' | 'disabled' | undefined
  readonly expiresAt?: Date | null | undefined
  readonly domains?: readonly string[] | undefined
}

/** The rows of tenants; deleted ones are not there. */
export class TenantStore {
  readonly #db: Knex
  readonly #baseUrls: () => Promise<BaseUrlOf>

  constructor(db: Knex, baseUrls: () => Promise<BaseUrlOf>) {
    this.#db = db
    this.#baseUrls = baseUrls
  }

  async find(id: number, db: Knex = this.#db): Promise<TenantRecord | undefined> {
    return this.#complete(await this.#living(db).findById(id), db)
  }

  async findByCode(code: string): Promise<TenantRecord | undefined> {
    return this.#complete(await this.#living(this.#db).findOne({ code }), this.#db)
  }

  /** By a domain that a tenant has proved to own. */
  async findByDomain(domain: string): Promise<TenantRecord | undefined> {
    const row = await DomainRow.acrossTenants(this.#db).findOne({ domain, status: 'verified' })
    return row && this.find(row.tenantId)
  }

  async list(): Promise<readonly TenantRecord[]> {
    return this.#completeAll(await this.#living(this.#db).orderBy('id'))
  }

  /** Some as others show them, by id. */
  async named(ids: readonly number[], db: Knex = this.#db): Promise<ReadonlyMap<number, NamedTenant>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#living(db)
      .findByIds([...new Set(ids)])
      .select('id', 'code', 'name')
    return new Map(rows.map(({ id, code, name }) => [id, { id, code, name }]))
  }

  async page(page: Page, filter: TenantFilter): Promise<{ total: number; items: readonly TenantRecord[] }> {
    const query = this.#living(this.#db)
    const status = filter.status === 'expired' ? 'active' : filter.status
    if (status !== undefined) void query.where('status', status)
    if (filter.code !== undefined) void query.where('code', filter.code)
    if (filter.ids) void query.whereIn('id', [...filter.ids])
    if (filter.status === 'expired') void query.where('expires_at', '<=', new Date())
    if (filter.status === 'active') void query.whereRaw('(expires_at is null or expires_at > ?)', new Date())
    wherePeriod(query, 'created_at', filter)
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((group) => void group.whereILike('code', pattern).orWhereILike('name', pattern))
    }
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return { total, items: await this.#completeAll(results) }
  }

  async isEmpty(): Promise<boolean> {
    return (await TenantRow.with(this.#db).first()) === undefined
  }

  /** An id that no tenant has had. */
  async reserveId(): Promise<number> {
    const answer = await this.#db.raw<{ rows: [{ id: string }] }>(
      `select nextval(pg_get_serial_sequence('tenants', 'id')) as id`,
    )
    return Number(answer.rows[0].id)
  }

  async insert(tenant: { id: number; code: string; name: string }, trx: Knex.Transaction): Promise<void> {
    await TenantRow.with(trx).insert(tenant).catch(rethrow)
  }

  async patch(id: number, { domains, ...change }: TenantPatch, trx: Knex.Transaction): Promise<void> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    await TenantRow.with(trx)
      .patch({ ...given, updatedAt: new Date() })
      .where('id', id)
      .catch(rethrow)
    if (domains) await this.putDomains(id, domains, trx)
  }

  /** Makes these the tenant's domains, verified by the word of the platform's administrator; the first is primary. */
  async putDomains(tenantId: number, domains: readonly string[], trx: Knex.Transaction): Promise<void> {
    await DomainRow.of(tenantId, trx).delete().whereNotIn('domain', domains)
    await DomainRow.of(tenantId, trx).patch({ primary: false })
    for (const [place, domain] of [...new Set(domains)].entries()) {
      await this.#putDomain(tenantId, { domain, primary: place === 0 }, trx).catch((error: unknown) => {
        rethrow(error, domain)
      })
    }
  }

  /** Keeps the row, and gives the code and the domains free. */
  async delete(id: number, trx: Knex.Transaction): Promise<void> {
    await DomainRow.of(id, trx).delete()
    await TenantRow.with(trx).patch({ status: 'deleted', updatedAt: new Date() }).where('id', id)
  }

  async lock(id: number, trx: Knex.Transaction): Promise<void> {
    await this.#living(trx).findById(id).forUpdate()
  }

  async #putDomain(
    tenantId: number,
    { domain, primary }: { readonly domain: string; readonly primary: boolean },
    trx: Knex.Transaction,
  ): Promise<void> {
    const row = { status: 'verified', trusted: true, primary, nextCheckAt: null, misses: 0, lostAt: null } as const
    const known = await DomainRow.of(tenantId, trx).findOne({ domain })
    const verifiedAt = known?.verifiedAt ?? new Date()
    if (known)
      await DomainRow.of(tenantId, trx)
        .findById(known.id)
        .patch({ ...row, verifiedAt })
    else await DomainRow.of(tenantId, trx).insert({ ...row, domain, verifiedAt })
  }

  #living(db: Knex) {
    return TenantRow.with(db).whereNot('status', 'deleted')
  }

  async #complete(row: TenantRow | undefined, db: Knex): Promise<TenantRecord | undefined> {
    return row && toRecord(row, await DomainRow.of(row.id, db).orderBy('id'), await this.#baseUrls())
  }

  async #completeAll(rows: readonly TenantRow[]): Promise<readonly TenantRecord[]> {
    const ids = rows.map(({ id }) => id)
    const domains = await DomainRow.acrossTenants(this.#db).whereIn('tenant_id', ids).orderBy('id')
    const baseUrlOf = await this.#baseUrls()
    return rows.map((row) => toRecord(row, domains, baseUrlOf))
  }
}

function rethrow(error: unknown, domain = ''): never {
  // Where row-level security hides the detail, objection keeps the constraint's name on the driver's error alone.
  const { constraint } = (error as { nativeError?: { constraint?: string } }).nativeError ?? {}
  if (constraint === 'tenants_code_unique') throw new TenantCodeTakenError({ details: { field: 'code' }, cause: error })
  if (constraint === 'tenant_domains_verified_unique') {
    throw new DomainTakenError({ domain }, { details: { domain }, cause: error })
  }
  throw error
}
