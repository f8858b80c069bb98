import assert from 'node:assert/strict'
import { columnsOf, readTable } from '../../../core-plugins/plugins/backups/table-rows.ts'
import { startTestKernel } from '../../support/kernel.ts'

describe('the rows of a backup', () => {
  it('are read in one pass over the table, and none is missing or twice', async () => {
    await using host = await startTestKernel({ plugins: [] })
    await host.kernel.database.knex.transaction(async (trx) => {
      await trx.raw(`create table plg_rows (n int, body text)`)
      await trx.raw(`insert into plg_rows select n, repeat('x', n % 700) from generate_series(1, 20000) as n`)
      const returned = async (): Promise<number> => {
        const asked = `select pg_stat_get_xact_tuples_returned('plg_rows'::regclass)::int as count`
        const { rows } = await trx.raw<{ rows: [{ count: number }] }>(asked)
        return rows[0].count
      }
      const before = await returned()
      const numbers = new Set<number>()
      let lines = 0
      for await (const line of readTable(trx, 'plg_rows', await columnsOf(trx, 'plg_rows'))) {
        numbers.add((JSON.parse(line) as { n: number }).n)
        lines++
      }
      assert.deepEqual([lines, numbers.size], [20_000, 20_000])
      assert.ok((await returned()) - before <= 20_000)
    })
  })
})
