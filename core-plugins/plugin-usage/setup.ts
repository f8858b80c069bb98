import { tenantsDeleted, type Scope } from '#kernel'
import type { TenantDirectory } from '../tenants/contract.ts'
import { FailureRow, sweepFailures } from './failure-reader.ts'
import { metricFamilies } from './metric-families.ts'
import type { PluginUsageNeeds } from './needs.ts'
import { metricsRoutes } from './routes.ts'
import { sandboxDetail } from './sandbox-detail.ts'
import { MetricsService } from './service.ts'
import { UsageWriter } from './usage-writer.ts'

const flushMilliseconds = 5_000
const sweepMilliseconds = 60 * 60 * 1000
/** Longer than the longest time that is asked for. */
const kept = '32 days'
const everybody = { tenant: 'all' } as const

/** Counts what plugins cost over all hosts and shows it; ends with the scope, when the last figures are written. */
export function setupPluginUsage(
  scope: Scope,
  { directory, runtime, teller, tenants, metrics, health }: PluginUsageNeeds,
): void {
  const { db, hostId, log } = scope
  const { metering } = runtime
  const writer = new UsageWriter({ db, hostId, metering })
  const service = new MetricsService({ db, hostId, metering, teller, tenants, flush: () => writer.flush() })
  scope.every(flushMilliseconds, () => writer.flush())
  scope.every(sweepMilliseconds, () => sweep(scope, tenants))
  scope.defer(async () => {
    await writer.flush().catch((error: unknown) => log.warn({ err: error }, 'the last figures of plugins are lost'))
    await db('plugin_host_gauges').where({ host_id: hostId }).delete()
  })
  // On every host, because each has figures that are not written yet.
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(scope, writer, tenantId), 'every-host')
  scope.use(metrics.register(() => metricFamilies(metering)))
  scope.use(health.register('sandbox', () => sandboxDetail(runtime)))
  scope.route(...metricsRoutes({ directory, metrics: service, tenants }))
}

async function eraseTenant({ db }: Scope, writer: UsageWriter, tenantId: number): Promise<void> {
  await writer.forgetTenant(tenantId)
  for (const table of ['plugin_tenant_usage', 'plugin_failures']) {
    await db(table).queryContext({ tenant: tenantId }).where({ tenant_id: tenantId }).delete()
  }
}

/** Deletes what is older than anybody asks for, and what a call that outlived its tenant left of it. */
async function sweep({ db }: Scope, tenants: TenantDirectory): Promise<void> {
  const known = [0, ...(await tenants.list()).map(({ id }) => id)]
  const isOld = db.raw(`now() - interval '${kept}'`)
  await db('plugin_part_usage').where('hour', '<', isOld).delete()
  await db('plugin_tenant_usage')
    .queryContext(everybody)
    .where((rows) => void rows.where('hour', '<', isOld).orWhereRaw('not (tenant_id = any(?))', [known]))
    .delete()
  await FailureRow.acrossTenants(db).whereRaw('not (tenant_id = any(?))', [known]).delete()
  await sweepFailures(db)
  await db('plugin_host_gauges').whereNotIn('host_id', db('plugin_hosts').select('host_id')).delete()
}
