import type { Knex } from 'knex'
import type { PluginRows } from '../plugins/contract.ts'
import type { ScheduleJobs } from './schedule-jobs.ts'

const everybody = { tenant: 'all' } as const

/** What is planned of schedules and how they ran: it goes with the plugin, and with the tenant. */
export function scheduleRows(db: Knex, jobs: Pick<ScheduleJobs, 'withdraw'>): PluginRows {
  const count = async (table: string, choose: (rows: Knex.QueryBuilder) => void) => {
    const rows = db(table).queryContext(everybody)
    choose(rows)
    const [counted] = await rows.count<{ count: string }[]>()
    return Number(counted?.count ?? 0)
  }
  const countOf = (table: string, id: number) => count(table, (rows) => void rows.where({ plugin_id: id }))
  return {
    step: 'schedules',
    describe: async ({ id, manifest }) => ({
      schedules: manifest?.schedules?.length ?? 0,
      planned: await countOf('plugin_schedules', id),
      runs: await countOf('plugin_schedule_runs', id),
    }),
    // Nothing runs any more since the dispatch stopped; what is kept of runs goes with the rows.
    async remove(trx, { id, manifest }) {
      const schedules = manifest?.schedules?.length ?? 0
      if (id === null) return { schedules, planned: 0 }
      const planned = await trx('plugin_schedules').queryContext(everybody).where({ plugin_id: id }).delete()
      await jobs.withdraw(trx, id)
      return { schedules, planned }
    },
    async eraseTenant(tenantId) {
      await db('plugin_schedules').queryContext({ tenant: tenantId }).where({ tenant_id: tenantId }).delete()
    },
    waiting: {
      kind: 'plugin_schedule',
      count: () => count('plugin_schedules', (rows) => void rows.whereRaw('due_at <= now()')),
    },
  }
}
