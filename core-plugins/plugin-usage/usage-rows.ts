import type { PluginFailure, PluginGauges } from '#sandbox'
import type { Knex } from 'knex'
import type { HourlyUsage } from './pending-usage.ts'

const everybody = { tenant: 'all' } as const

/** Plugins by name; one that is not among them is gone, and so is what it cost. */
type Ids = ReadonlyMap<string, number>

/** Adds to the sums of the hours, always in one order, so that hosts never wait for each other in a circle. */
export async function writeUsage(trx: Knex.Transaction, usage: readonly HourlyUsage[], ids: Ids): Promise<void> {
  const rows = usage.flatMap(({ plugin, ...entry }) => {
    const id = ids.get(plugin)
    return id === undefined ? [] : { plugin_id: id, ...entry }
  })
  const ofTenants = rows.flatMap(({ kind, name, ...row }) => (kind === 'tenant' ? { ...row, tenant_id: name } : []))
  const ofParts = rows.filter(({ kind }) => kind !== 'tenant')
  await add(trx, { table: 'plugin_tenant_usage', keys: ['plugin_id', 'tenant_id', 'hour'] }, ofTenants)
  await add(trx, { table: 'plugin_part_usage', keys: ['plugin_id', 'kind', 'name', 'hour'] }, ofParts)
}

/** Keeps the latest failures of each plugin: those of all hosts together are cut when they are read and swept. */
export async function writeFailures(
  trx: Knex.Transaction,
  failures: readonly PluginFailure[],
  ids: Ids,
  hostId: string,
): Promise<void> {
  const rows = failures.flatMap(({ plugin, tenantId, traceId, stack, at, target, code, reason, message }) => {
    const id = ids.get(plugin)
    if (id === undefined) return []
    const named = { plugin_id: id, tenant_id: tenantId, host_id: hostId, trace_id: traceId, stack: stack ?? null }
    return { ...named, at, target, code, reason, message: message.words, message_said: JSON.stringify(message) }
  })
  if (rows.length > 0) await trx('plugin_failures').queryContext(everybody).insert(rows)
}

/** How plugins are on this host now. */
export async function writeGauges(
  trx: Knex.Transaction,
  gauges: readonly PluginGauges[],
  ids: Ids,
  hostId: string,
): Promise<void> {
  const rows = gauges.flatMap(({ plugin, breaker, heapBytes, laneBytes }) => {
    const id = ids.get(plugin)
    if (id === undefined) return []
    const sizes = { heap_bytes: heapBytes ?? null, lane_bytes: laneBytes ?? null }
    return { plugin_id: id, host_id: hostId, breaker, ...sizes, at: new Date() }
  })
  if (rows.length > 0) await trx('plugin_host_gauges').insert(rows).onConflict(['plugin_id', 'host_id']).merge()
}

async function add(
  trx: Knex.Transaction,
  { table, keys }: { readonly table: string; readonly keys: readonly string[] },
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = [...keys, 'counts', 'durations']
  const sum = (column: string) => `${column} = plugin_usage_add(${table}.${column}, excluded.${column})`
  await trx
    .raw(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, ?::jsonb)
        order by ${keys.join(', ')}
       on conflict (${keys.join(', ')}) do update set ${sum('counts')}, ${sum('durations')}`,
      [JSON.stringify(rows)],
    )
    .queryContext(everybody)
}
