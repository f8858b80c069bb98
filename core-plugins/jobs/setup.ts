import { tenantsDeleted, type Needed, type Scope } from '#kernel'
import { JobAdmin } from './admin/job-admin.ts'
import { jobs, jobsDied, jobsProgressed } from './contract.ts'
import { JobMetrics } from './metrics.ts'
import type { needs } from './needs.ts'
import { everybody } from './queue/everybody.ts'
import { findDue } from './queue/find-due.ts'
import { forgetEnded, reclaimJobs, releaseDue } from './queue/leases.ts'
import { jobRoutes } from './routes.ts'
import { fireSchedules } from './schedules/schedule-table.ts'
import { JobService } from './service.ts'
import { Alarm } from './worker/alarm.ts'
import { DoneBatch } from './worker/done-batch.ts'
import { KindTable } from './worker/kind-table.ts'
import type { JobNews } from './worker/run-job.ts'
import { Worker } from './worker/worker.ts'

/** Every host looks so often for what is due, what a dead host left and what no word told of. */
const lookMs = 1_000
/** A third of a lease, so that two renewals may fail. */
const renewMs = 4_000
const countMs = 15_000
const forgetMs = 60_000

/** Builds the queue: a table, and on each host a worker that is woken. */
export function setupJobs(scope: Scope, { audit, metrics, teller }: Needed<typeof needs>): void {
  const { db, log, hostId } = scope
  const kinds = new KindTable()
  const figures = new JobMetrics(db)
  const worker = scope.use(
    new Worker({ db, log, hostId, kinds, done: new DoneBatch(db), news: newsOf(scope), counts: figures }),
  )
  const alarm = scope.use(new Alarm(scope.bus, worker))
  scope.provide(jobs, new JobService({ db, kinds, worker, alarm }))
  scope.route(...jobRoutes(new JobAdmin({ db, audit, alarm, kinds, teller }), teller))
  scope.use(metrics.register(() => figures.families()))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(scope, tenantId))
  scope.every(lookMs, () => look(scope, kinds, worker))
  scope.every(lookMs, () => worker.loseOverdue())
  scope.every(renewMs, () => worker.renew())
  scope.every(countMs, () => figures.count())
  scope.every(forgetMs, () => forgetEnded(db))
}

async function look({ db }: Scope, kinds: KindTable, worker: Worker): Promise<void> {
  const due = await findDue(db)
  if (due.schedules) await fireSchedules(db)
  if (due.delayed) await releaseDue(db)
  if (due.lost) await reclaimJobs(db, (job) => kinds.aftermathOf(job, 'cancelled'))
  if (Object.values(due).some(Boolean)) worker.wake()
}

function newsOf(scope: Scope): JobNews {
  return {
    async progressed({ id, kind, tenantId }, percent, text) {
      await scope.emit(jobsProgressed, { id, kind, tenantId, percent, text })
    },
    async died({ id, kind, tenantId }, { words: error }) {
      await scope.emit(jobsDied, { id, kind, tenantId, error })
    },
  }
}

async function eraseTenant({ db }: Scope, tenantId: number): Promise<void> {
  for (const table of ['job_schedules', 'jobs']) {
    await db(table).queryContext(everybody).where({ tenant_id: tenantId }).delete()
  }
}
