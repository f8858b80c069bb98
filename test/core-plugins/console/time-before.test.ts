import assert from 'node:assert/strict'

interface Module {
  readonly timeBefore: (period: { from: string; to: string; tz: string; bucket: '1h' | '1d' | '1mo' }) => {
    readonly from: string
    readonly to: string
    readonly bucket: string
  }
}

// Not by its name: it has the types of a browser, which the tests have not.
const file = new URL('../../../core-plugins/console/web/ui/chart/time-before.ts', import.meta.url).href

describe('the time before one that is looked at', () => {
  let timeBefore: Module['timeBefore']
  before(async () => {
    ;({ timeBefore } = (await import(file)) as Module)
  })

  const cases = [
    ['1h', 'hours', 'UTC', '2026-03-01T05:00Z', '2026-03-02T05:00Z', '2026-02-28T05:00Z', '2026-03-01T05:00Z'],
    [
      ...['1d', 'days, of which one was shorter', 'Europe/Berlin'],
      ...['2026-03-30T22:00Z', '2026-04-06T22:00Z', '2026-03-23T23:00Z', '2026-03-30T22:00Z'],
    ],
    [
      ...['1mo', 'whole months, one of which is a longer February', 'UTC'],
      ...['2024-02-01T00:00Z', '2025-04-01T00:00Z', '2022-12-01T00:00Z', '2024-02-01T00:00Z'],
    ],
    [
      ...['1mo', 'months from a midnight of the reader on', 'Europe/Berlin'],
      ...['2024-03-31T22:00Z', '2025-06-30T22:00Z', '2022-12-31T23:00Z', '2024-03-31T22:00Z'],
    ],
    [
      ...['1mo', 'parts of months, as many as there are', 'UTC'],
      ...['2025-03-10T00:00Z', '2026-05-21T00:00Z', '2023-12-10T00:00Z', '2025-02-21T00:00Z'],
    ],
    [
      ...['1mo', 'months from a day in the middle to the day before', 'UTC'],
      ...['2025-03-10T00:00Z', '2026-05-10T00:00Z', '2024-01-10T00:00Z', '2025-03-10T00:00Z'],
    ],
    [
      ...['1mo', 'months that lack the days', 'UTC'],
      ...['2024-12-31T00:00Z', '2026-03-31T00:00Z', '2023-09-30T00:00Z', '2024-12-31T00:00Z'],
    ],
    [
      ...['1mo', 'months that end where there is no such day', 'UTC'],
      ...['2025-03-10T00:00Z', '2026-05-31T00:00Z', '2023-12-10T00:00Z', '2025-03-01T00:00Z'],
    ],
  ] as const
  for (const [bucket, what, tz, from, to, first, end] of cases)
    it(`goes back ${what}`, () => {
      const found = timeBefore({ from, to, tz, bucket })
      assert.deepEqual(
        [new Date(found.from), new Date(found.to), found.bucket],
        [new Date(first as string), new Date(end as string), bucket],
      )
    })

  it('has as many months as that has, whichever days it is made of', () => {
    const monthAt = (moment: number) => new Date(moment).toISOString().slice(0, 7)
    const monthsOf = ({ from, to }: { readonly from: string; readonly to: string }) => {
      const months = new Set<string>()
      for (let at = Date.parse(from); at < Date.parse(to); at += 86_400_000) months.add(monthAt(at))
      return months.size
    }
    for (const start of ['2024-12-31', '2025-01-01', '2025-01-10', '2025-01-31'])
      for (const end of ['03-01', '03-09', '03-10', '03-11', '03-29', '03-31', '04-01', '05-10', '05-30', '05-31']) {
        const period = { from: `${start}T00:00Z`, to: `2026-${end}T00:00Z`, tz: 'UTC', bucket: '1mo' as const }
        const before = timeBefore(period)
        assert.equal(monthsOf(before), monthsOf(period), `${start} to ${end}`)
        assert.ok(Date.parse(before.to) <= Date.parse(period.from))
      }
  })
})
