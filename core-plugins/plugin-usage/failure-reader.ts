import { TenantModel, type Said } from '#kernel'
import type { BreakerState } from '#sandbox'
import type { Knex } from 'knex'

const kept = 20
/** A host that was not seen for so long is dead. */
const alive = '10 seconds'

/** One of a plugin's latest failures, on whatever host. */
export class FailureRow extends TenantModel {
  static override tableName = 'plugin_failures'
  static override jsonAttributes = ['messageSaid']
  declare id: string
  declare pluginId: number
  declare hostId: string
  declare at: Date
  declare target: string
  declare code: number
  declare reason: string
  declare message: string
  /** What the message is told from; null where it stays as it was written. */
  declare messageSaid: Said | null
  declare traceId: string
  declare stack: string | null
}

/** How a plugin is on one host. */
export interface HostGauges {
  readonly hostId: string
  readonly breaker: BreakerState
  readonly heapBytes: number | null
  readonly laneBytes: number | null
}

/** The latest failures of a plugin over all hosts, newest first. */
export function readFailures(db: Knex, pluginId: number): Promise<readonly FailureRow[]> {
  const rows = FailureRow.acrossTenants(db).where({ plugin_id: pluginId })
  return Promise.resolve(rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(kept))
}

/** How a plugin is on the hosts that live, as they last wrote it. */
export async function readGauges(db: Knex, pluginId: number): Promise<readonly HostGauges[]> {
  const living = db('plugin_hosts').whereRaw(`seen_at > now() - interval '${alive}'`).select('host_id')
  const rows = await db('plugin_host_gauges')
    .where({ plugin_id: pluginId })
    .whereIn('host_id', living)
    .orderBy('host_id')
    .select<{ host_id: string; breaker: BreakerState; heap_bytes: string | null; lane_bytes: string | null }[]>()
  const bytes = (text: string | null) => (text === null ? null : Number(text))
  return rows.map(({ host_id: hostId, breaker, heap_bytes: heap, lane_bytes: lane }) => {
    return { hostId, breaker, heapBytes: bytes(heap), laneBytes: bytes(lane) }
  })
}

/** Deletes the failures beyond the latest of each plugin. */
export async function sweepFailures(db: Knex): Promise<void> {
  const numbered = FailureRow.acrossTenants(db).select(
    'id',
    db.raw('row_number() over (partition by plugin_id order by at desc, id desc) as position'),
  )
  const old = db.select('id').from(numbered.toKnexQuery().as('numbered')).where('position', '>', kept)
  await FailureRow.acrossTenants(db).whereIn('id', old).delete()
}
