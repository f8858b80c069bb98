import type { Scope } from '#kernel'
import { GuestJobQueue } from './guest-job-queue.ts'
import { JobRunner } from './job-runner.ts'
import type { PluginJobsNeeds } from './needs.ts'
import { jobRows } from './rows.ts'

const sweepMilliseconds = 60 * 60 * 1_000

/** Starts taking and doing jobs of plugins. */
export function setupPluginJobs(scope: Scope, needs: PluginJobsNeeds): void {
  const { db, log } = scope
  const { runtime, resolver: tenants, keepers, jobs, teller } = needs
  const queue = new GuestJobQueue({ db, jobs, runtime, teller })
  scope.use(jobs.register(new JobRunner({ db, runtime, tenants, log }).kind))
  scope.use(runtime.takeJobs(queue))
  scope.use(keepers.register(jobRows(db, jobs)))
  scope.every(sweepMilliseconds, () => queue.sweep())
}
