import type { Knex } from 'knex'
import { tenantsUpdated, type Scope } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { DeliveryChanges } from '../../mail/contract.ts'
import { tenantsDomainChanged, tenantsDomainFailed } from '../contract.ts'
import { DomainTakenError } from '../errors.ts'
import type { DomainRow } from '../models.ts'
import type { DomainChallenges } from './challenge.ts'
import type { DomainChecks } from '../models.ts'
import type { DomainLookup } from './dns-lookup.ts'
import type { DomainStore } from './domain-store.ts'
import { leaderIn } from './leading.ts'
import { isServing, judge } from './outcome.ts'

/** What checks stand on. */
interface CheckerParts {
  readonly scope: Pick<Scope, 'db' | 'emit' | 'emitWithin'>
  readonly store: DomainStore
  readonly challenges: DomainChallenges
  readonly lookUp: DomainLookup
  readonly audit: Audit
  readonly delivery: DeliveryChanges
}

/** Why a domain is checked: on its schedule, because somebody looks at it, or by the wish of somebody who may. */
type CheckReason = 'scheduled' | 'seen' | Writer

/** What became of a domain, and every row whose status changed. */
interface Conclusion {
  readonly row: DomainRow | undefined
  readonly changed: readonly DomainRow[]
}

/** Asks name servers about domains and draws the conclusions. */
export class DomainChecker {
  readonly #parts: CheckerParts

  constructor(parts: CheckerParts) {
    this.#parts = parts
  }

  /** Looks a bound domain up; undefined when it was unbound meanwhile. Throws 409/4097 where the holder's proof is the newer one. */
  async check(row: DomainRow, reason: CheckReason): Promise<DomainRow | undefined> {
    const { scope, challenges, lookUp } = this.#parts
    const checks = await lookUp(await challenges.of(row.tenantId, row.domain))
    const conclusion = await scope.db.transaction((trx) => this.conclude(row, checks, reason, trx))
    await this.announce(conclusion)
    const isRefused = conclusion.row !== undefined && checks.txt.ok && conclusion.row.status !== 'verified'
    if (isRefused && typeof reason === 'object') throw domainTaken(row.domain)
    return conclusion.row
  }

  /** Draws the conclusions from what name servers said; announced once the transaction has ended. */
  async conclude(
    { id, domain }: DomainRow,
    checks: DomainChecks,
    reason: CheckReason,
    trx: Knex.Transaction,
  ): Promise<Conclusion> {
    const { store } = this.#parts
    const rows = await store.lockDomain(domain, trx)
    const row = rows.find((candidate) => candidate.id === id)
    if (!row) return { row, changed: [] }
    const now = new Date()
    const patch = judge(row, checks, reason === 'scheduled', now)
    const holder = rows.find((other) => other.id !== id && other.status === 'verified')
    if (patch.status !== 'verified' || !holder) return conclusionOf(row, await this.#save(row, patch, reason, trx))
    if (!this.#yields(holder, row, checks)) {
      return { row: await store.patch(row, { checks, checkedAt: now, nextCheckAt: null }, trx), changed: [] }
    }
    const lost = { status: 'superseded', primary: false, trusted: false, lostAt: now, nextCheckAt: null } as const
    const loser = await this.#save(holder, lost, 'seen', trx)
    const winner = await this.#save(row, { ...patch, takenFrom: holder.tenantId }, reason, trx)
    return { row: winner, changed: [loser, winner] }
  }

  /** Tells whom it concerns which domains became or ceased to be whose. */
  async announce({ changed }: Conclusion): Promise<void> {
    const { scope } = this.#parts
    for (const { tenantId, domain, status } of changed) {
      await scope.emit(tenantsUpdated, { tenantId })
      await scope.emit(tenantsDomainChanged, { tenantId, domain, status })
      if (status !== 'failed' && status !== 'superseded') continue
      await scope.emit(tenantsDomainFailed, { tenantId, domain, status })
    }
  }

  /** The newest proof wins. That of a tenant which lost the domain is an old one, as long as its successor's stands beside it. */
  #yields(holder: DomainRow, { tenantId, domain }: DomainRow, { txt }: DomainChecks): boolean {
    if (holder.takenFrom !== tenantId) return true
    return !txt.found.includes(this.#parts.challenges.txtValue(holder.tenantId, domain))
  }

  async #save(
    row: DomainRow,
    change: Partial<DomainRow>,
    reason: CheckReason,
    trx: Knex.Transaction,
  ): Promise<DomainRow> {
    const { scope, store, audit } = this.#parts
    const saved = await store.patch(row, change, trx)
    const { status, tenantId, domain } = saved
    if (status === row.status) return saved
    await scope.emitWithin(trx, tenantsUpdated, { tenantId })
    const writer = typeof reason === 'object' ? reason : undefined
    await audit.record(
      {
        tenantId,
        actor: writer?.principal ?? null,
        action: `tenant_domain.${status}`,
        target: `domain:${domain}`,
        before: { status: row.status },
        after: { status },
        ...(writer && { traceId: writer.state.traceId }),
      },
      trx,
    )
    return status === 'verified' && isServing(saved.checks) ? this.#promote(saved, writer, trx) : saved
  }

  /**
   * The first domain that leads here is the primary one, until the tenant chooses another: by the word of an owner, who bound it
   * or has it looked up now. Anybody else's would carry the owner's link to a new password where they read it.
   */
  async #promote(row: DomainRow, writer: Writer | undefined, trx: Knex.Transaction): Promise<DomainRow> {
    const { store, delivery } = this.#parts
    const { tenantId, id, ledBy } = row
    const userId = ledBy ?? (writer && leaderIn(writer.principal)) ?? null
    if (userId === null || (await store.hasPrimary(tenantId, trx))) return row
    await store.setPrimary(tenantId, id, trx)
    await delivery.record({ part: 'link', tenantId, by: { tenantId, userId } }, trx)
    return (await store.find(tenantId, { id }, trx)) ?? row
  }
}

function conclusionOf(before: DomainRow, row: DomainRow): Conclusion {
  return { row, changed: row.status === before.status ? [] : [row] }
}

/** Says that a domain is another tenant's. */
export function domainTaken(domain: string) {
  return new DomainTakenError({ domain }, { details: { domain } })
}
