import type { Scope } from '#kernel'
import { aiQuotaWarned, type AiLedger } from '../contract.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { DeniedCounts } from './denied-counts.ts'
import { HoldStore, type SettledBucket } from './hold-store.ts'
import { Journal } from './journal.ts'
import { LeaseStore } from './lease-store.ts'
import { Leases } from './leases.ts'
import { Ledger } from './ledger.ts'
import { readLedgerState } from './ledger-state.ts'
import type { Rates } from './rates.ts'
import { SettleQueue } from './settle-queue.ts'
import { sweepHolds } from './sweeper.ts'
import { Warnings } from './warnings.ts'

const noteMs = 1_000
const beatMs = 5_000
const tendMs = 1_000

/** Builds what holds and settles. */
export async function setupHolds(scope: Scope, quotas: QuotaTable, rates: Rates): Promise<AiLedger> {
  const { db, hostId, log } = scope
  scope.onChanges('ai_ledger.quotas', () => quotas.forget())
  const store = new HoldStore(db, hostId)
  const journal = scope.use(new Journal({ db, hostId, log, store }))
  // Before it holds anything: a host that nobody heard of is taken for a dead one.
  await journal.beat()
  const warnings = new Warnings({ db, log, quotas, tell: (warned) => scope.emit(aiQuotaWarned, warned) })
  const settled = (buckets: readonly SettledBucket[]): void => warnings.hear(buckets)
  const leaseStore = new LeaseStore(db, hostId)
  // Given back after what this host still settles, and before it is gone.
  const leases = scope.use(new Leases({ store: leaseStore, log, settled }))
  const settling = scope.use(new SettleQueue({ store, log, settled }))
  const denied = new DeniedCounts(db)
  scope.every(noteMs, () => journal.note())
  scope.every(noteMs, () => denied.flush())
  scope.every(beatMs, () => journal.beat())
  scope.every(tendMs, () => leases.tend())
  scope.every(beatMs, async () => void (await sweepHolds({ db, store, leases: leaseStore, journal, settled })))
  const state = () => readLedgerState(db, quotas, rates)
  return new Ledger({ quotas, store, journal, leases, rates, settling, denied, state })
}
