import type { Knex } from 'knex'
import { allowTime, enableTenantRows, lockUntilCommit } from '#kernel'

const everybody = { tenant: 'all' } as const
const dayMs = 86_400_000
const daysAhead = 2
/** The tables in partitions by day, all by their column `at`. */
const tables = ['ai_request_log', 'ai_health_checks'] as const

/** Makes the partitions of today and the next days; rows that came for them before are moved into them. */
export async function makePartitions(db: Knex, now = Date.now()): Promise<void> {
  const known = await listPartitions(db)
  for (const table of tables) {
    for (let ahead = 0; ahead <= daysAhead; ahead++) {
      const from = new Date(Math.floor(now / dayMs + ahead) * dayMs)
      if (!known.has(nameOf(table, from))) await makePartition(db, table, from)
    }
  }
}

/** Drops the partitions whose days ended before a moment; answers how many went. */
export async function dropPartitions(db: Knex, before: Date): Promise<number> {
  const names = [...(await listPartitions(db))].filter((name) => {
    const [, year, month, day] = /_p(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
    return year !== undefined && Date.UTC(Number(year), Number(month) - 1, Number(day)) + dayMs <= before.getTime()
  })
  for (const name of names) await db.raw('drop table if exists ??', [name])
  for (const table of tables) {
    await db(`${table}_default`).queryContext(everybody).where('at', '<', before).delete()
  }
  return names.length
}

async function listPartitions(db: Knex): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (?::regclass[])`,
    [[...tables]],
  )
  return new Set(rows.map(({ name }) => name))
}

async function makePartition(db: Knex, table: string, from: Date): Promise<void> {
  const partition = nameOf(table, from)
  const to = new Date(from.getTime() + dayMs)
  await db.transaction(async (trx) => {
    await allowTime(trx)
    await lockUntilCommit(trx, 'ai.partitions')
    if ((await listPartitions(trx)).has(partition)) return
    await trx.raw('create table ?? (like ?? including defaults)', [partition, table])
    await trx
      .raw('with moved as (delete from ?? where at >= ? and at < ? returning *) insert into ?? select * from moved', [
        ...[`${table}_default`, from, to, partition],
      ])
      .queryContext(everybody)
    await enableTenantRows(trx, partition)
    const [first, end] = [from.toISOString(), to.toISOString()]
    await trx.raw(`alter table ?? attach partition ?? for values from ('${first}') to ('${end}')`, [table, partition])
  })
}

function nameOf(table: string, from: Date): string {
  return `${table}_p${from.toISOString().slice(0, 10).replaceAll('-', '')}`
}
