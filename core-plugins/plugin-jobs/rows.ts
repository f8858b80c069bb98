import type { Knex } from 'knex'
import type { Jobs } from '../jobs/contract.ts'
import type { PluginRows } from '../plugins/contract.ts'
import { stepKind } from './job-row.ts'

const everybody = { tenant: 'all' } as const

/** The jobs of plugins: they go with the plugin, and with the tenant. */
export function jobRows(db: Knex, jobs: Pick<Jobs, 'withdrawGroup'>): PluginRows {
  const rows = (connection: Knex, table = 'plugin_jobs') => connection(table).queryContext(everybody)
  const count = async (where: object) => {
    const [counted] = await rows(db).where(where).count<{ count: string }[]>()
    return Number(counted?.count ?? 0)
  }
  return {
    step: 'schedules',
    describe: async ({ id }) => ({ jobs: await count({ plugin_id: id }) }),
    async remove(trx, { id }) {
      if (id === null) return { jobs: 0 }
      await jobs.withdrawGroup(trx, stepKind, String(id))
      await rows(trx, 'plugin_job_days').where({ plugin_id: id }).delete()
      return { jobs: await rows(trx).where({ plugin_id: id }).delete() }
    },
    async eraseTenant(tenantId) {
      for (const table of ['plugin_jobs', 'plugin_job_days'])
        await db(table).queryContext({ tenant: tenantId }).where({ tenant_id: tenantId }).delete()
    },
    waiting: { kind: 'plugin_job', count: () => count({ status: 'waiting' }) },
  }
}
