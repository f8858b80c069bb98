import type { Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import { tenantsDomainFailed, tenantsUpdated } from '../contract.ts'
import type { DomainRow } from '../models.ts'
import type { DomainChecker } from './domain-checker.ts'
import type { DomainStore } from './domain-store.ts'

/** How often a host looks for domains whose time has come, in milliseconds. */
const every = 15_000

/** What the checks in the background stand on. */
export interface PollerParts {
  readonly scope: Pick<Scope, 'db' | 'emit' | 'emitWithin' | 'log' | 'every'>
  readonly store: DomainStore
  readonly checker: DomainChecker
  readonly audit: Audit
}

/** Looks domains up on their schedule as long as the plugin is enabled, each on one host. */
export function startPoller(parts: PollerParts): void {
  parts.scope.every(every, () => poll(parts))
}

/** Looks up what is due, and unbinds what nobody has proved for two weeks. */
export async function poll(parts: PollerParts): Promise<void> {
  const { scope, store, checker } = parts
  for (let due = await store.claimDue(); due.length > 0; due = await store.claimDue()) {
    const checks = due.map(async (row) => {
      await checker.check(row, 'scheduled').catch((error: unknown) => {
        scope.log.error({ err: error, domain: row.domain }, 'a domain could not be looked up')
      })
    })
    await Promise.all(checks)
  }
  await unbindAbandoned(parts)
}

async function unbindAbandoned({ scope, store, audit }: PollerParts): Promise<void> {
  const gone = await scope.db.transaction(async (trx) => {
    const rows = await store.deleteAbandoned(trx)
    for (const row of rows) {
      await audit.record(entryOf(row), trx)
      await scope.emitWithin(trx, tenantsUpdated, { tenantId: row.tenantId })
    }
    return rows
  })
  for (const { tenantId, domain } of gone) {
    await scope.emit(tenantsUpdated, { tenantId })
    await scope.emit(tenantsDomainFailed, { tenantId, domain, status: 'unbound' })
  }
}

function entryOf({ tenantId, domain, status }: DomainRow) {
  return { tenantId, actor: null, action: 'tenant_domain.unbound', target: `domain:${domain}`, before: { status } }
}
