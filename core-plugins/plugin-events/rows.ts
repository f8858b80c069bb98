import type { Knex } from 'knex'
import type { PluginRows } from '../plugins/contract.ts'
import type { EventJobs } from './event-jobs.ts'

const everybody = { tenant: 'all' } as const

/** The events that wait for plugins or were set aside: they go with the plugin, and with the tenant. */
export function eventRows(db: Knex, jobs: EventJobs): PluginRows {
  const rows = (connection: Knex) => connection('plugin_events').queryContext(everybody)
  const count = async (where: object) => {
    const [counted] = await rows(db).where(where).count<{ count: string }[]>()
    return Number(counted?.count ?? 0)
  }
  return {
    step: 'events',
    describe: async ({ id, manifest }) => ({
      subscriptions: manifest?.events?.subscribe ?? [],
      queued: await count({ plugin_id: id }),
    }),
    async remove(trx, { id, manifest }) {
      const subscriptions = manifest?.events?.subscribe?.length ?? 0
      if (id === null) return { subscriptions, queued: 0 }
      await jobs.withdraw(trx, id)
      return { subscriptions, queued: await rows(trx).where({ plugin_id: id }).delete() }
    },
    async eraseTenant(tenantId) {
      await db('plugin_events').queryContext({ tenant: tenantId }).where({ tenant_id: tenantId }).delete()
    },
    async hurry(trx, pluginId) {
      await rows(trx).where({ plugin_id: pluginId, state: 'queued', attempts: 0 }).update({ not_before: trx.fn.now() })
      await jobs.hurry(trx, pluginId)
    },
    waiting: { kind: 'plugin_event', count: () => count({ state: 'queued' }) },
  }
}
