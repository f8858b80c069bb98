import { tenantsDeleted, type Needed, type Scope } from '#kernel'
import { usersDeleted } from '../users/contract.ts'
import { aiKeys, aiLedger, aiSpending } from './contract.ts'
import { eraseTenant, eraseUser } from './erasure.ts'
import { readFullness } from './holds/fullness.ts'
import { setupHolds } from './holds/setup.ts'
import { Rates } from './holds/rates.ts'
import { setupKeys } from './keys/setup.ts'
import type { needs } from './needs.ts'
import { BucketService } from './quotas/bucket-service.ts'
import type { Quota } from './quotas/quota.ts'
import { QuotaTable } from './quotas/quota-table.ts'
import { quotaRoutes } from './quotas/routes.ts'
import { QuotaService } from './quotas/service.ts'
import { setupReports } from './reports/setup.ts'
import { usageRoutes } from './usage/routes.ts'
import { UsageService } from './usage/service.ts'
import { Spending } from './watch/spending.ts'
import { setupUsage } from './usage/setup.ts'

/** Builds the ledger: quotas, holds, keys, and the rows of usage. */
export async function setupAiLedger(
  scope: Scope,
  { audit, config, files, jobs, mail, notifier, tenants, users }: Needed<typeof needs>,
): Promise<void> {
  const { db, bus } = scope
  const table = new QuotaTable(db, bus)
  scope.use(table.listen())
  const rates = new Rates(scope.windows)
  const fullness = (quotas: readonly Quota[]) => readFullness(db, rates, quotas)
  const quotas = new QuotaService({ db, audit, tenants, table, fullness })
  await setupUsage(scope, config)
  scope.provide(aiLedger, await setupHolds(scope, table, rates))
  scope.provide(aiSpending, new Spending(db, table, rates))
  scope.provide(aiKeys, setupKeys(scope, { audit, quotas, tenants, users, table }))
  scope.route(...quotaRoutes(quotas, new BucketService({ db, audit, quotas, rates })))
  scope.route(...usageRoutes(new UsageService(db, config)))
  setupReports(scope, { audit, config, files, jobs, mail, notifier, users })
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
  scope.on(usersDeleted, ({ tenantId, userId }) => eraseUser(db, tenantId, userId))
}
