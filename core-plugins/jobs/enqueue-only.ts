import { definePlugin, type Scope } from '#kernel'
import { jobs } from './contract.ts'
import jobsPlugin from './index.ts'
import { JobService } from './service.ts'
import { Alarm } from './worker/alarm.ts'
import { KindTable } from './worker/kind-table.ts'

const nobody = {
  wake: () => undefined,
  wakeSoon: () => undefined,
  cancel: () => undefined,
  drain: () => Promise.resolve(),
}

/** The queue of a process that runs no jobs, such as a command line: what it queues is run by the hosts that serve. */
export const enqueueOnlyJobs = definePlugin({
  name: jobsPlugin.name,
  version: jobsPlugin.version,
  title: jobsPlugin.title,
  description: jobsPlugin.description,
  ...(jobsPlugin.migrations !== undefined && { migrations: jobsPlugin.migrations }),
  provides: [jobs],
  setup: (scope: Scope) => {
    const alarm = scope.use(new Alarm(scope.bus, nobody))
    scope.provide(jobs, new JobService({ db: scope.db, kinds: new KindTable(), worker: nobody, alarm }))
  },
})
