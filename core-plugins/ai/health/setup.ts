import { kernelStarted, type GuardedFetch, type ProcessMetrics, type Scope, type TenantResolver } from '#kernel'
import type { Access, Audit } from '../../access/contract.ts'
import type { AiLedger, AiSpending } from '../../ai-ledger/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import type { Catalogue } from '../catalogue/types.ts'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import { aiAlertRaised, aiAlertResolved } from '../contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { WhereTo } from '../providers/where-to.ts'
import type { Relay } from '../relay/relay.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { HealthStates } from '../states/health-states.ts'
import { alertJob, alertKind } from './alerts/evaluate.ts'
import { AlertRules } from './alerts/rule-service.ts'
import { presentAlert, tellJob } from './alerts/tell.ts'
import { AlertRow } from './alerts/tables.ts'
import { abortCanary } from './canaries/abort-canary.ts'
import { CanaryWatch, type CanaryFigures } from './canaries/canary-watch.ts'
import { checkJob, checkKind } from './checks/check-job.ts'
import type { CheckLog } from './checks/check-log.ts'
import { FallbackNotices } from './fallback-notices.ts'
import { LogWriter } from './logs/log-writer.ts'
import { readLogs } from './logs/read-logs.ts'
import { CallTotals } from './metrics/call-totals.ts'
import { readMetrics } from './metrics/read-metrics.ts'
import { readOverview } from './overview.ts'
import { dropPartitions, makePartitions } from './partitions.ts'
import { healthRoutes } from './routes.ts'
import { SandboxFigures } from './sandbox-figures.ts'

/** What health is built of. */
interface HealthParts {
  readonly access: Access
  readonly audit: Audit
  readonly jobs: Jobs
  readonly notifier: Notifier
  readonly mail: MessageSender
  readonly users: UserDirectory
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly metrics: ProcessMetrics
  readonly ledger: AiLedger
  readonly spending: AiSpending
  readonly relay: Relay
  readonly table: RoutingTable
  readonly states: HealthStates
  readonly connection: ProviderConnection
  readonly checks: CheckLog
  readonly http: GuardedFetch
  readonly whereTo: WhereTo
  readonly catalogue: () => Catalogue
  /** Has this host and the others read the catalogue anew. */
  readonly wrote: () => Promise<void>
}

const writeMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const everyMinute = { cron: '* * * * *', timezone: 'UTC', lateSeconds: 60 }

/** Builds health: the log of requests, checks, figures and alerts. */
export async function setupHealth(scope: Scope, parts: HealthParts): Promise<void> {
  const { db, secrets } = scope
  const { access, audit, jobs, notifier, mail, users, http, relay, states, catalogue, checks, whereTo } = parts
  const { spending, tenants } = parts
  await makePartitions(db)
  const log = scope.use(
    new LogWriter(db, scope.log, { kept: () => catalogue().gateway, seal: (text) => secrets.seal(text) }),
  )
  const totals = scope.use(new CallTotals(db))
  const sandbox = new SandboxFigures(parts.metrics)
  const fallbacks = new FallbackNotices({ access, notifier, limiter: scope.limiter, log: scope.log })
  const abort = (figures: CanaryFigures) => abortCanary({ db, audit, jobs, wrote: parts.wrote }, figures)
  const canaries = new CanaryWatch({ db, catalogue, abort })
  scope.use(
    relay.observe((record) => {
      log.note(record)
      totals.note(record)
      fallbacks.note(record)
      canaries.note(record)
    }),
  )
  scope.every(writeMs, () => log.flush())
  scope.every(writeMs, () => totals.flush())
  scope.every(writeMs, () => canaries.flush())
  scope.every(minuteMs, () => sandbox.note())
  scope.every(hourMs, () => forget(scope, catalogue().gateway.retentionDays))
  const measured = { ...parts, db, recent: states.recent, totals }
  scope.use(jobs.register(checkJob({ ...measured, log: checks })))
  scope.use(jobs.register(tellJob({ db, access, notifier, mail, users, http, secrets, limiter: scope.limiter })))
  scope.use(
    jobs.register(
      alertJob({ ...measured, log: scope.log, changed: (raised, resolved) => announce(scope, raised, resolved) }),
    ),
  )
  scope.on(kernelStarted, async () => {
    for (const kind of [checkKind, alertKind]) await jobs.schedule(db, { name: kind, kind, key: kind, ...everyMinute })
  })
  const rules = new AlertRules({ db, audit, secrets, whereTo, users, spending, tenants })
  scope.route(
    ...healthRoutes({
      ...{ checks, rules },
      overview: (reader) => readOverview({ ...parts, db, sandbox }, reader),
      metrics: (reader) => readMetrics(measured, reader),
      logs: (reader, query) => readLogs(db, reader, query, { audit, open: (sealed) => secrets.open(sealed) }),
    }),
  )
}

async function forgetPayloads(db: Scope['db'], before: Date): Promise<void> {
  const old = () =>
    db('ai_request_payloads').queryContext({ tenant: 'all' }).where('at', '<', before).limit(1_000).select('id')
  while ((await db('ai_request_payloads').queryContext({ tenant: 'all' }).whereIn('id', old()).delete()) >= 1_000);
}

async function announce(scope: Scope, raised: readonly AlertRow[], resolved: readonly AlertRow[]): Promise<void> {
  for (const alert of raised) await scope.emit(aiAlertRaised, { tenantId: alert.tenantId, ...presentAlert(alert) })
  for (const alert of resolved) await scope.emit(aiAlertResolved, { tenantId: alert.tenantId, ...presentAlert(alert) })
}

/** What is older than the gateway's settings say goes: partitions whole, and alerts that are over. */
async function forget({ db, log }: Scope, days: number): Promise<void> {
  await makePartitions(db)
  const before = new Date(Date.now() - days * dayMs)
  const dropped = await dropPartitions(db, before)
  await AlertRow.acrossTenants(db).where('resolved_at', '<', before).delete()
  await forgetPayloads(db, before)
  if (dropped > 0) log.info({ dropped }, 'old days of the log of AI requests and of checks are gone')
}
