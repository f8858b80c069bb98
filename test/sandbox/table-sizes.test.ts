import { rejects } from 'node:assert/strict'
import { TableSizes, type SizesReader } from '../../sandbox/broker/database/table-sizes.ts'
import { effectiveLimits } from '../../sandbox/effective-limits.ts'

const half = 600_000

/** A server that says this of the tables. */
function readerOf(
  rows: readonly { readonly name: string; readonly rows: string; readonly bytes: string }[],
): SizesReader {
  const db = { raw: () => ({ connection: () => Promise.resolve({ rows }) }) }
  return { db, connection: {}, catalogue: new Map() } as unknown as SizesReader
}

describe('how full the tables of a plugin are', () => {
  const reader = readerOf([
    { name: 'a', rows: '1', bytes: String(half) },
    { name: 'b', rows: '0', bytes: String(half) },
  ])

  it('counts what was inserted since the server was asked, table by table', async () => {
    const sizes = new TableSizes()
    const limits = effectiveLimits({ tableRows: 3 })
    await sizes.check(reader, 'a', limits)
    await sizes.grow('a', 1)
    await sizes.check(reader, 'a', limits)
    await sizes.grow('a', 1)
    await rejects(sizes.check(reader, 'a', limits), /3 rows a table at most/)
    await sizes.check(reader, 'b', limits)
  })

  it('is the size of all of them together', async () => {
    const sizes = new TableSizes()
    await sizes.check(reader, 'a', effectiveLimits({ tablesMb: 2 }))
    await rejects(sizes.check(reader, 'a', effectiveLimits({ tablesMb: 1 })), /1 MB of tables at most/)
  })
})
