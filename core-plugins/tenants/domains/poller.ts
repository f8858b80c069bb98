import { kernelStarted, tenantsUpdated, type Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import { tenantsDomainChanged, tenantsDomainFailed } from '../contract.ts'
import type { DomainRow } from '../models.ts'
import type { DomainChecker } from './domain-checker.ts'
import type { DomainStore } from './domain-store.ts'

const poll = 'tenants.domains_poll'
const check = 'tenants.domain_check'
const everyMinute = { cron: '* * * * *', timezone: 'UTC' }
/** Look-ups of one host at once. */
const concurrency = 20
/** A look-up that could not be had is wanted again so much later, for some hours; then the next poll begins anew. */
const retry = { attempts: 50, backoff: () => 5 * 60_000 }

/** What the checks in the background stand on. */
interface PollerParts {
  readonly scope: Pick<Scope, 'db' | 'emit' | 'emitWithin' | 'on' | 'use'>
  readonly jobs: Jobs
  readonly store: DomainStore
  readonly checker: DomainChecker
  readonly audit: Audit
}

/** Has the queue look domains up on their schedule, each on one host. */
export function startPoller(parts: PollerParts): void {
  const { scope, jobs } = parts
  scope.use(jobs.register(pollKind(parts)))
  scope.use(jobs.register(checkKind(parts)))
  scope.on(kernelStarted, () => jobs.schedule(scope.db, { name: 'domains', kind: poll, ...everyMinute }))
}

/** Queues a look-up of what is due, and unbinds what nobody has proved for two weeks. */
function pollKind(parts: PollerParts): JobKind {
  const { scope, jobs, store } = parts
  return {
    ...{ kind: poll, concurrency: 1, keepSeconds: 0 },
    async run() {
      await scope.db.transaction(async (trx) => {
        const due = await store.due(trx)
        const one = ({ id, tenantId: tenant }: DomainRow) => {
          return { payload: { id }, tenant, key: String(id), dedupe: String(id) }
        }
        await jobs.enqueueAll(trx, check, due.map(one))
      })
      await unbindAbandoned(parts)
    },
  }
}

function checkKind({ store, checker }: PollerParts): JobKind<{ readonly id: number }> {
  return {
    ...{ kind: check, concurrency, keepSeconds: 0, ...retry },
    async run({ tenantId, payload: { id } }) {
      const row = await store.claimDue(tenantId, id)
      if (row) await checker.check(row, 'scheduled')
    },
  }
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
    await scope.emit(tenantsDomainChanged, { tenantId, domain, status: 'unbound' })
    await scope.emit(tenantsDomainFailed, { tenantId, domain, status: 'unbound' })
  }
}

function entryOf({ tenantId, domain, status }: DomainRow) {
  return { tenantId, actor: null, action: 'tenant_domain.unbound', target: `domain:${domain}`, before: { status } }
}
