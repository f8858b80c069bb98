import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

const figures = [
  ...['requests', 'errors', 'estimated', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'],
  ...['reasoning_tokens', 'cost_nano', 'list_cost_nano', 'possible_cost_nano', 'saved_nano', 'duration_ms'],
  ...['tool_calls', 'tool_cpu_ms', 'sandbox_ms'],
]
const measures = [...figures.map((figure) => `${figure} bigint not null`), 'ttft bigint[] not null'].join(', ')
const about = 'model_id text not null, model text not null, provider_id text not null, purpose text not null'
const keys = 'slot, tenant_id, model_id, model, provider_id, purpose'

/**
 * Sums without users, keys and agents by day; those of all tenants together by hour and day, as tenant 0's; and those by tag. The first ones
 * are made of the sums that are there.
 */
export async function up(db: Knex): Promise<void> {
  const tables = [
    { table: 'ai_usage_day_totals', more: '' },
    { table: 'ai_usage_platform', more: '' },
    { table: 'ai_usage_platform_days', more: '' },
    { table: 'ai_usage_tags', more: ', tag text not null' },
  ]
  for (const { table, more } of tables) {
    await db.raw(`
      create table ${table} (
        slot timestamptz not null, tenant_id int not null, ${about}${more}, ${measures},
        primary key (${keys}${more && ', tag'})
      ) partition by range (slot);
      create index ${table}_tenant on ${table} (tenant_id, slot);
      create table ${table}_default partition of ${table} default`)
    await enableTenantRows(db, table)
    await enableTenantRows(db, `${table}_default`)
  }
  for (const [table, slot, tenant] of [
    ['ai_usage_day_totals', `date_trunc('day', slot, 'UTC')`, 'tenant_id'],
    ['ai_usage_platform', 'slot', '0'],
    ['ai_usage_platform_days', `date_trunc('day', slot, 'UTC')`, '0'],
  ] as const) {
    const size = 20
    const bins = Array.from({ length: size }, (_, at) => `sum(ttft[${String(at + 1)}])::bigint`).join(', ')
    await db
      .raw(
        `insert into ${table} (${keys}, ${figures.join(', ')}, ttft)
         select ${slot}, ${tenant}, model_id, model, provider_id, purpose, ${figures.map((each) => `sum(${each})`).join(', ')}, array[${bins}]
           from ai_usage_totals group by 1, 2, 3, 4, 5, 6`,
      )
      .queryContext({ tenant: 'all' })
  }
}
