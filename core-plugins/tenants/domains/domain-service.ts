import { NotFoundError, type Page, type Scope, tenantsUpdated } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { DomainBoundError, DomainLimitError, DomainUnverifiedError } from '../errors.ts'
import type { DomainRow } from '../models.ts'
import type { DomainChallenge, DomainChallenges } from './challenge.ts'
import { readCustomDomain, type DomainRules } from './custom-domain.ts'
import type { DomainChecks } from '../models.ts'
import type { DomainLookup } from './dns-lookup.ts'
import { domainTaken, type DomainChecker } from './domain-checker.ts'
import type { DomainFilter, DomainStore } from './domain-store.ts'
import { leaderIn, passLeading, type LeadingParts } from './leading.ts'

/** What a tenant's domains stand on. */
interface DomainParts {
  readonly scope: Scope
  readonly store: DomainStore
  readonly checker: DomainChecker
  readonly challenges: DomainChallenges
  readonly lookUp: DomainLookup
  readonly audit: Audit
  readonly rules: DomainRules
  readonly leading: LeadingParts
}

/** A domain, bound or not, with what proves it. */
export interface DomainState {
  readonly row: DomainRow | undefined
  readonly challenge: DomainChallenge
}

const limit = 50
/** Look-ups of another tenant's domain: five a minute for each who wants it. */
const claims = { requests: 5, seconds: 60 }

/** Domains as their tenants manage them. */
export class DomainService {
  readonly #parts: DomainParts

  constructor(parts: DomainParts) {
    this.#parts = parts
  }

  async list(
    tenantId: number,
    page: Page,
    filter: DomainFilter,
  ): Promise<{ total: number; items: readonly DomainState[] }> {
    const { results, total } = await this.#parts.store.page(tenantId, page, filter)
    return { total, items: await Promise.all(results.map((row) => this.#describe(row))) }
  }

  /** What proves a domain, and how that stands; a bound one is looked up, at most once a minute. */
  async show(tenantId: number, text: string): Promise<DomainState> {
    const { store, checker, challenges, rules } = this.#parts
    const domain = await readCustomDomain(text, rules)
    const row = await store.find(tenantId, { domain })
    const challenge = await challenges.of(tenantId, domain)
    if (!row || !(await store.claim(row, 'seen'))) return { row, challenge }
    return { row: await checker.check(row, 'seen'), challenge }
  }

  /** Binds a domain; one that is another tenant's is refused with 409/4097 unless its TXT record proves that it is this tenant's. */
  async bind(tenantId: number, text: string, writer: Writer): Promise<DomainState> {
    const { scope, store, checker, rules } = this.#parts
    const domain = await readCustomDomain(text, rules)
    if (await store.find(tenantId, { domain })) throw bound(domain)
    const isHeld = await store.isHeldByAnother(tenantId, domain)
    const proof = isHeld ? await this.#prove(tenantId, domain) : undefined
    const conclusion = await scope.db.transaction(async (trx) => {
      await store.lockTenant(tenantId, trx)
      if (await store.find(tenantId, { domain }, trx)) throw bound(domain)
      if ((await store.count(tenantId, trx)) >= limit) throw new DomainLimitError({ limit })
      const row = await store.insert(tenantId, { domain, ledBy: leaderIn(writer.principal) }, trx)
      await this.#log('created', row, writer, trx)
      if (!proof) return { row, changed: [] }
      const concluded = await checker.conclude(row, proof, writer, trx)
      if (concluded.row?.status !== 'verified') throw domainTaken(domain)
      return concluded
    })
    await checker.announce(conclusion)
    return this.#describe(conclusion.row ?? (await this.#get(tenantId, { domain })))
  }

  /** Has a domain looked up, at most once a minute; otherwise what is known is answered. */
  async verify(tenantId: number, id: number, writer: Writer): Promise<DomainState> {
    const { store, checker } = this.#parts
    const row = await this.#get(tenantId, { id })
    const checked = (await store.claim(row, 'demanded')) ? await checker.check(row, writer) : row
    if (!checked) throw new NotFoundError()
    return this.#describe(checked)
  }

  async unbind(tenantId: number, id: number, writer: Writer): Promise<void> {
    const { scope, store } = this.#parts
    await scope.db.transaction(async (trx) => {
      const row = await store.delete(tenantId, id, trx)
      if (!row) throw new NotFoundError()
      await this.#log('deleted', row, writer, trx)
      await scope.emitWithin(trx, tenantsUpdated, { tenantId })
    })
    await scope.emit(tenantsUpdated, { tenantId })
  }

  /** Makes a verified domain the one that links of messages lead to; throws 409/4094 for others, and what `passLeading` throws. */
  async choosePrimary(tenantId: number, id: number, writer: Writer): Promise<DomainState> {
    const { scope, store, leading } = this.#parts
    await scope.db.transaction(async (trx) => {
      await store.lockTenant(tenantId, trx)
      const row = await this.#get(tenantId, { id }, trx)
      if (row.status !== 'verified') throw new DomainUnverifiedError({ domain: row.domain })
      await passLeading(leading, writer.principal, tenantId, trx)
      await store.setPrimary(tenantId, id, trx)
      await this.#log('chosen', row, writer, trx)
      await scope.emitWithin(trx, tenantsUpdated, { tenantId })
    })
    await scope.emit(tenantsUpdated, { tenantId })
    return this.#describe(await this.#get(tenantId, { id }))
  }

  async #prove(tenantId: number, domain: string): Promise<DomainChecks> {
    const { scope, challenges, lookUp } = this.#parts
    const key = `tenants:domain_claim:${tenantId}:${domain}`
    const { allowed } = await scope.limiter.hit(key, claims.requests, claims.seconds)
    const checks = allowed ? await lookUp(await challenges.of(tenantId, domain)) : undefined
    if (!checks?.txt.ok) throw domainTaken(domain)
    return checks
  }

  async #describe(row: DomainRow): Promise<DomainState> {
    return { row, challenge: await this.#parts.challenges.of(row.tenantId, row.domain) }
  }

  async #get(...where: Parameters<DomainStore['find']>): Promise<DomainRow> {
    const row = await this.#parts.store.find(...where)
    if (!row) throw new NotFoundError()
    return row
  }

  async #log(
    done: string,
    { tenantId, domain, status, primary }: DomainRow,
    { principal, state }: Writer,
    trx: Parameters<Audit['record']>[1],
  ): Promise<void> {
    const action = `tenant_domain.${done}`
    const what = { domain, status, primary }
    const change = done === 'deleted' ? { before: what } : { after: { ...what, primary: primary || done === 'chosen' } }
    const entry = { tenantId, actor: principal, action, target: `domain:${domain}`, ...change }
    await this.#parts.audit.record({ ...entry, traceId: state.traceId }, trx)
  }
}

function bound(domain: string) {
  return new DomainBoundError({ domain }, { details: { field: 'domain' } })
}
