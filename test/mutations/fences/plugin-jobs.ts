import type { Fence } from '../mutation.ts'

const closed = 'test/core-plugins/plugin-jobs/closed.test.ts'
const jobs = 'test/core-plugins/plugin-jobs/jobs.test.ts'

/** Jobs of plugins are done for whom they may be, by one host. */
export const pluginJobs: Fence = {
  name: 'plugin-jobs',
  mutations: [
    {
      name: 'jobs-of-another-plugin',
      file: 'core-plugins/plugin-jobs/guest-job-queue.ts',
      before:
        "      .where({ tenant_id: tenantId })\n      .whereIn('plugin_id', db('plugins').where({ name: plugin }).select('id'))",
      after: '      .where({ tenant_id: tenantId })',
      tests: [closed],
      why: 'A plugin reads and ends the jobs of another one.',
    },
    {
      name: 'jobs-of-a-closed-tenant',
      file: 'core-plugins/plugin-jobs/job-runner.ts',
      before: "tenant?.status === 'active' ?",
      after: 'tenant ?',
      tests: [closed],
      why: 'Plugins work on for a tenant that is closed.',
    },
    {
      name: 'jobs-that-were-refused',
      file: 'core-plugins/plugin-jobs/job-runner.ts',
      before: " && !runtime.deniedFor(name, row.tenant_id).has('jobs')",
      after: '',
      tests: [closed],
      why: 'Jobs go on after a tenant refused them.',
    },
    {
      name: 'jobs-of-what-is-being-removed',
      file: 'core-plugins/plugin-jobs/guest-job-queue.ts',
      before: '{ name: plugin, removing: false }',
      after: '{ name: plugin }',
      tests: [closed],
      why: 'A job is queued for a plugin after its rows were looked for, and nobody ever does it.',
    },
    {
      name: 'jobs-of-a-closed-plugin',
      file: 'core-plugins/plugin-jobs/job-runner.ts',
      before: "gate.open && tenant !== 'gone'",
      after: "tenant !== 'gone'",
      tests: [closed],
      why: 'A plugin works on in a tenant that switched it off.',
    },
    {
      name: 'jobs-written-by-a-late-host',
      file: 'core-plugins/plugin-jobs/step-ledger.ts',
      before: '      await job.hold(trx)\n',
      after: '',
      tests: [closed],
      why: 'A host that was believed dead ends the step of another.',
    },
    {
      name: 'jobs-brought-back',
      file: 'core-plugins/plugin-jobs/step-ledger.ts',
      before: "      .where({ id, tenant_id: tenant })\n      .whereIn('status', ['waiting', 'running'])",
      after: '      .where({ id, tenant_id: tenant })',
      tests: [jobs],
      why: 'A job that was taken back goes on.',
    },
    {
      name: 'jobs-tried-for-ever',
      file: 'core-plugins/plugin-jobs/job-runner.ts',
      before: "outcome.kind === 'load' || attempt >= attempts",
      after: "outcome.kind === 'load'",
      tests: [closed],
      why: 'A step that fails is done again for ever.',
    },
    {
      name: 'jobs-hop-uncounted',
      file: 'core-plugins/plugin-jobs/job-runner.ts',
      before: 'signal: job.signal, hop: row.hop }',
      after: 'signal: job.signal }',
      tests: [closed],
      why: 'Jobs that begin jobs go on for ever.',
    },
    {
      name: 'jobs-day-unspent',
      file: 'core-plugins/plugin-jobs/job-runner.ts',
      before: 'if (cpuLeftMs <= 0) return',
      after: 'if (cpuLeftMs === 0) return',
      tests: [jobs],
      why: 'A plugin computes all day.',
    },
  ],
}
