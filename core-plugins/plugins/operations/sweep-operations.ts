import type { Knex } from 'knex'
import type { ConfigReader } from '../../config/contract.ts'

const keptDays = 180
const batch = 1_000

/**
 * Deletes operations that ended longer ago than the audit log reaches back, some at a time; the last one of each plugin stays as long
 * as the plugin. Answers how many went.
 */
export async function sweepOperations(db: Knex, settings: ConfigReader): Promise<number> {
  const days = await settings.get<number>('audit_retention_days', 0, keptDays)
  for (let deleted = 0; ;) {
    const gone = await db('plugin_operations')
      .whereIn(
        'id',
        db('plugin_operations as old')
          .whereNot({ state: 'running' })
          .whereRaw('finished_at < now() - make_interval(days => ?)', [days])
          .whereRaw(
            `(not exists (select 1 from plugins where plugins.name = old.plugin)
              or exists (select 1 from plugin_operations later
                          where later.plugin_id = old.plugin_id and later.started_at > old.started_at))`,
          )
          .limit(batch)
          .select('id'),
      )
      .delete()
    deleted += gone
    if (gone < batch) return deleted
  }
}
