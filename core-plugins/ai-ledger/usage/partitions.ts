import type { Knex } from 'knex'
import { allowTime, enableTenantRows, lockUntilCommit } from '#kernel'

const everybody = { tenant: 'all' } as const
/** The tables in partitions by month, with the column that they go by. */
const tables = [
  { table: 'ai_usage', column: 'at' },
  { table: 'ai_usage_hours', column: 'slot' },
  { table: 'ai_usage_totals', column: 'slot' },
  { table: 'ai_usage_days', column: 'slot' },
  { table: 'ai_usage_day_totals', column: 'slot' },
  { table: 'ai_usage_platform', column: 'slot' },
  { table: 'ai_usage_platform_days', column: 'slot' },
  { table: 'ai_usage_tags', column: 'slot' },
] as const
const monthsAhead = 2

interface Month {
  /** Such as `p202611`. */
  readonly name: string
  readonly from: string
  readonly to: string
}

/** Makes the partitions of this month and the next ones; rows that came for them before are moved into them. */
export async function makePartitions(db: Knex, now = new Date()): Promise<void> {
  const known = await listPartitions(db)
  for (const { table, column } of tables) {
    for (let ahead = 0; ahead <= monthsAhead; ahead++) {
      const month = monthAfter(now, ahead)
      if (!known.has(`${table}_${month.name}`)) await makePartition(db, table, column, month)
    }
  }
}

/** Drops the partitions of a table whose months ended before a moment; answers how many went. */
export async function dropPartitions(db: Knex, table: (typeof tables)[number]['table'], before: Date): Promise<number> {
  const names = [...(await listPartitions(db))].filter((name) => {
    const [, year, month] = new RegExp(`^${table}_p(\\d{4})(\\d{2})$`).exec(name) ?? []
    return year !== undefined && Date.UTC(Number(year), Number(month), 1) <= before.getTime()
  })
  for (const name of names) await db.raw('drop table if exists ??', [name])
  return names.length
}

async function listPartitions(db: Knex): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (?::regclass[])`,
    [tables.map(({ table }) => table)],
  )
  return new Set(rows.map(({ name }) => name))
}

async function makePartition(db: Knex, table: string, column: string, { name, from, to }: Month): Promise<void> {
  const partition = `${table}_${name}`
  await db.transaction(async (trx) => {
    await allowTime(trx)
    await lockUntilCommit(trx, 'ai_ledger.partitions')
    if ((await listPartitions(trx)).has(partition)) return
    await trx.raw('create table ?? (like ?? including defaults)', [partition, table])
    await trx
      .raw(`with moved as (delete from ?? where ?? >= ? and ?? < ? returning *) insert into ?? select * from moved`, [
        `${table}_default`,
        column,
        from,
        column,
        to,
        partition,
      ])
      .queryContext(everybody)
    await enableTenantRows(trx, partition)
    await trx.raw(`alter table ?? attach partition ?? for values from ('${from}') to ('${to}')`, [table, partition])
  })
}

function monthAfter(now: Date, ahead: number): Month {
  const first = (more: number): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + more, 1))
  const from = first(0).toISOString()
  return { name: `p${from.slice(0, 4)}${from.slice(5, 7)}`, from, to: first(1).toISOString() }
}
