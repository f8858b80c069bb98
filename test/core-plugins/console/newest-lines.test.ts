import assert from 'node:assert/strict'

interface Line {
  readonly id: number
  readonly state: string
}
type Compare = (
  loaded: readonly Line[],
  part: { readonly items: readonly Line[]; readonly has_more: boolean },
) => {
  readonly newer: readonly Line[]
  readonly hasGap: boolean
  readonly kept: readonly Line[]
  readonly isChanged: boolean
}

// Not by its name: what stands there has the types of a browser, which the tests have not.
const file = new URL('../../../core-plugins/console/web/ui/log/newest.ts', import.meta.url).href
const { compareNewest } = (await import(file)) as { readonly compareNewest: Compare }
const lines = (...ids: readonly number[]) => ids.map((id) => ({ id, state: 'done' }))

describe('loaded lines of a log beside its newest part', () => {
  it('are told apart from those that have come since', () => {
    const compared = compareNewest(lines(7, 6, 5, 4), { items: lines(9, 8, 7, 6), has_more: true })
    assert.deepEqual(compared, {
      ...{ newer: lines(9, 8), hasGap: false, kept: lines(7, 6, 5, 4), isChanged: false },
    })
  })

  it('change in their places, and go where the part has them no more', () => {
    const items = [{ id: 8, state: 'done' }, { id: 7, state: 'failed' }, ...lines(5)]
    const { newer, kept, isChanged } = compareNewest(lines(7, 6, 5, 4), { items, has_more: true })
    assert.deepEqual([newer, kept, isChanged], [lines(8), [{ id: 7, state: 'failed' }, ...lines(5, 4)], true])
  })

  it('are all that there is where the part is the whole log', () => {
    const { newer, kept } = compareNewest(lines(7, 6, 5), { items: lines(7), has_more: false })
    assert.deepEqual([newer, kept], [[], lines(7)])
  })

  it('take one in between that was written late', () => {
    const { newer, kept } = compareNewest(lines(7, 5, 4), { items: lines(8, 7, 6, 5), has_more: true })
    assert.deepEqual([newer, kept], [lines(8), lines(7, 6, 5, 4)])
  })

  it('say nothing of themselves where more has come than the part holds', () => {
    const compared = compareNewest(lines(2, 1), { items: lines(9, 8, 7), has_more: true })
    assert.deepEqual(compared, { newer: lines(9, 8, 7), hasGap: true, kept: lines(2, 1), isChanged: false })
  })
})
