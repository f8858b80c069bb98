import assert from 'node:assert/strict'
import { publishedTable, wireTable } from '../../../support/ai-wire-table.ts'

describe('the table of what a pair of dialect and vendor carries', () => {
  it('is published as the codecs answer now', () => {
    assert.deepEqual(publishedTable(), wireTable(), 'run node test/support/ai-wire-table.ts, then prettier')
  })

  it('drops thoughts by name, and never without a word', () => {
    const rows = wireTable().filter(([what]) => what?.startsWith('thoughts'))
    const dropped = rows.flat().filter((cell) => cell.startsWith('dropped'))
    assert.ok(dropped.length > 0)
    assert.deepEqual(
      dropped.filter((cell) => !cell.includes('reasoning')),
      [],
    )
  })
})
