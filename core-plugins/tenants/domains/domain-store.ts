import type { Knex } from 'knex'
import { whatIsGiven, wherePeriod, type Page, type Period } from '#kernel'
import { DomainRow, TenantRow } from '../models.ts'
import { firstCheck } from './outcome.ts'

// One look-up of a domain in so many milliseconds.
const pause = 60_000
// Domains of one poll.
const batch = 500
const abandonedAfter = 14 * 24 * 60 * 60_000

/** Which of them a list shows; what is left out does not matter. */
export interface DomainFilter extends Period {
  readonly domain?: string
  readonly status?: DomainRow['status']
  readonly is_primary?: boolean
  readonly trusted?: boolean
}

/** The rows of tenants' domains. */
export class DomainStore {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async find(tenantId: number, by: { readonly id: number } | { readonly domain: string }, db: Knex = this.#db) {
    return DomainRow.of(tenantId, db).findOne(by)
  }

  async page(tenantId: number, { page, size, sort, pattern }: Page, { domain, is_primary, ...filter }: DomainFilter) {
    const { status, trusted } = filter
    const wanted = whatIsGiven<string | boolean>({ status, trusted, primary: is_primary })
    const query = DomainRow.of(tenantId, this.#db).where(wanted)
    wherePeriod(query, 'created_at', filter)
    if (domain !== undefined) void query.where('domain', domain.toLowerCase())
    if (pattern !== undefined) void query.whereILike('domain', pattern)
    return query.orderBy([...sort, { column: 'id' }]).page(page - 1, size)
  }

  async count(tenantId: number, trx: Knex.Transaction): Promise<number> {
    return DomainRow.of(tenantId, trx).resultSize()
  }

  /** Whether the domain is verified for another tenant. */
  async isHeldByAnother(tenantId: number, domain: string): Promise<boolean> {
    const holder = await DomainRow.acrossTenants(this.#db).findOne({ domain, status: 'verified' })
    return holder !== undefined && holder.tenantId !== tenantId
  }

  async insert(tenantId: number, row: Pick<DomainRow, 'domain' | 'ledBy'>, trx: Knex.Transaction): Promise<DomainRow> {
    return DomainRow.of(tenantId, trx).insertAndFetch({ ...row, nextCheckAt: firstCheck(new Date()) })
  }

  async delete(tenantId: number, id: number, trx: Knex.Transaction): Promise<DomainRow | undefined> {
    const [row] = await DomainRow.of(tenantId, trx).delete().where({ id }).returning('*')
    return row
  }

  /** Makes one the tenant's primary domain, and no other. */
  async setPrimary(tenantId: number, id: number, trx: Knex.Transaction): Promise<void> {
    await DomainRow.of(tenantId, trx).patch({ primary: false }).where('primary', true)
    await DomainRow.of(tenantId, trx).patch({ primary: true }).where({ id })
  }

  /** Whether a verified domain is the tenant's primary one. */
  async hasPrimary(tenantId: number, trx: Knex.Transaction): Promise<boolean> {
    const row = await DomainRow.of(tenantId, trx).findOne({ primary: true, status: 'verified' })
    return row !== undefined
  }

  /** Waits for whoever changes the tenant's domains. */
  async lockTenant(tenantId: number, trx: Knex.Transaction): Promise<void> {
    await TenantRow.with(trx).findById(tenantId).forUpdate()
  }

  /** Every row of a domain, locked in an order that cannot entangle. */
  async lockDomain(domain: string, trx: Knex.Transaction): Promise<readonly DomainRow[]> {
    return DomainRow.acrossTenants(trx).where({ domain }).orderBy('id').forUpdate()
  }

  async patch(row: DomainRow, change: Partial<DomainRow>, trx: Knex.Transaction): Promise<DomainRow> {
    return DomainRow.of(row.tenantId, trx).patchAndFetchById(row.id, change)
  }

  /** Takes the right to one look-up, of which there is one a minute over all hosts; the tenant's own wish has a minute of its own. */
  async claim(row: DomainRow, wish: 'seen' | 'demanded'): Promise<boolean> {
    const now = new Date()
    const column = wish === 'seen' ? 'asked_at' : 'demanded_at'
    const claimed = await DomainRow.of(row.tenantId, this.#db)
      .patch(wish === 'seen' ? { askedAt: now } : { askedAt: now, demandedAt: now })
      .where('id', row.id)
      .where((free) => void free.whereNull(column).orWhere(column, '<=', new Date(now.getTime() - pause)))
    return claimed > 0
  }

  /** Domains whose time has come. */
  async due(trx: Knex.Transaction): Promise<readonly DomainRow[]> {
    const due = DomainRow.acrossTenants(trx).where('next_check_at', '<=', new Date())
    return due.orderBy('next_check_at').limit(batch)
  }

  /** Notes that a domain is looked up whose time has come; undefined when it was looked up or unbound meanwhile. */
  async claimDue(tenantId: number, id: number): Promise<DomainRow | undefined> {
    const now = new Date()
    const due = DomainRow.of(tenantId, this.#db).where({ id }).where('next_check_at', '<=', now)
    const [row] = await due.patch({ askedAt: now }).returning('*')
    return row
  }

  /** Deletes domains that nobody has proved for two weeks; each is answered once. */
  async deleteAbandoned(trx: Knex.Transaction): Promise<readonly DomainRow[]> {
    return DomainRow.acrossTenants(trx)
      .delete()
      .whereNot('status', 'verified')
      .whereRaw('coalesce(lost_at, created_at) < ?', new Date(Date.now() - abandonedAfter))
      .returning('*')
  }
}
