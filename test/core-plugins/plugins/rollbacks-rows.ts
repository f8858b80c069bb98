import type { Platform } from '../../support/platform.ts'
import { pluginHash8 } from '#sandbox'

const prefix = `plg_${pluginHash8('acme.ledger')}_`
const everybody = { tenant: 'all' } as const

/** Values that are easily changed on their way, one row each. */
const awkward: readonly Readonly<Record<string, unknown>>[] = [
  { amount: '12345678901234.100000', big: '9223372036854775807', bytes: Buffer.from([0, 255, 10, 92]) },
  { facts: 'null', raw: '{"b": 1,  "a":"\\n", "b": 2}', ratio: 'NaN', flag: false },
  { facts: '{"n": 12345678901234567890.10, "s": "line\\nend — 汉字 🎈"}', tags: ['a,b', '"q"', 'NULL', null] },
  { at: '2026-03-01T12:34:56.789+05:30', day: '0044-03-15 BC', span: '1 year 2 mons -3 days', label: 'ab' },
  { raw: 'null', ratio: '0.1', at: 'infinity', code: '00000000-0000-4000-8000-000000000001' },
  { facts: null, raw: null, tags: [] },
]

/** Fills the tables of `acme.ledger` for a tenant: awkward rows, and so many more that refer to each other. */
export async function fillLedger({ host }: Platform, tenantId: number, more: number): Promise<void> {
  const { knex } = host.kernel.database
  await knex.transaction(async (trx) => {
    const parents = await trx<{ id: string; tenant_id: number; name: string }>(`${prefix}parents`)
      .queryContext(everybody)
      .insert({ tenant_id: tenantId, name: 'Ünïcödé \\ "parent"' })
      .returning('id')
    const rows = awkward.map((row) => ({ tenant_id: tenantId, parent: parents[0]?.id, ...row }))
    for (const row of rows) await trx(`${prefix}children`).queryContext(everybody).insert(row)
    await trx
      .raw(
        `insert into ?? (tenant_id, amount, tags)
         select ?, n / 3.0, array['t' || n] from generate_series(1, ?::int) as n`,
        [`${prefix}children`, tenantId, more],
      )
      .queryContext(everybody)
    // The first refers to the last, which comes after it.
    await trx
      .raw('update ?? set other = (select max(id) from ??) where id = (select min(id) from ?? where tenant_id = ?)', [
        ...[`${prefix}children`, `${prefix}children`, `${prefix}children`, tenantId],
      ])
      .queryContext(everybody)
  })
}

/** Changes one row, deletes one and adds one. */
export async function spoilLedger({ host }: Platform, tenantId: number): Promise<void> {
  const { knex } = host.kernel.database
  const children = () => knex(`${prefix}children`).queryContext(everybody).where({ tenant_id: tenantId })
  await children().where({ label: 'ab' }).update({ label: 'other' })
  await children().where({ big: '9223372036854775807' }).delete()
  await knex(`${prefix}children`).queryContext(everybody).insert({ tenant_id: tenantId, amount: '1' })
}
