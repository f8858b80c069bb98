import assert from 'node:assert/strict'

interface Module {
  readonly wholeDays: (days: number, timeZone: string, now: Date) => { readonly first: Date; readonly next: Date }
}

// Not by its name: it has the types of a browser, which the tests have not.
const file = new URL('../../../core-plugins/console/web/ui/chart/whole-days.ts', import.meta.url).href

describe('the last days of a reader', () => {
  let wholeDays: Module['wholeDays']
  before(async () => {
    ;({ wholeDays } = (await import(file)) as Module)
  })

  const cases = [
    ['on an ordinary day', 7, 'Europe/Berlin', '2026-02-10T09:30:00.250Z', '2026-02-03T23:00Z', '2026-02-10T23:00Z'],
    [
      'late, after the clock went forward',
      2,
      'Europe/Berlin',
      '2026-03-30T21:30Z',
      '2026-03-28T23:00Z',
      '2026-03-30T22:00Z',
    ],
    [
      'early, after the clock went forward',
      2,
      'Europe/Berlin',
      '2026-03-29T22:10Z',
      '2026-03-28T23:00Z',
      '2026-03-30T22:00Z',
    ],
    [
      'early, after the clock went back',
      2,
      'Europe/Berlin',
      '2026-10-25T23:10Z',
      '2026-10-24T22:00Z',
      '2026-10-26T23:00Z',
    ],
    [
      'late, after the clock went back',
      7,
      'Europe/Berlin',
      '2026-10-26T22:50Z',
      '2026-10-19T22:00Z',
      '2026-10-26T23:00Z',
    ],
    [
      'where a day has no midnight',
      3,
      'America/Santiago',
      '2026-09-07T15:00Z',
      '2026-09-05T04:00Z',
      '2026-09-08T03:00Z',
    ],
    [
      'where half an hour is set',
      2,
      'Australia/Lord_Howe',
      '2026-04-05T14:00Z',
      '2026-04-04T13:00Z',
      '2026-04-06T13:30Z',
    ],
    [
      'where hours begin at a quarter',
      90,
      'Asia/Kathmandu',
      '2026-06-30T18:20Z',
      '2026-04-02T18:15Z',
      '2026-07-01T18:15Z',
    ],
  ] as const
  for (const [when, days, timeZone, now, first, next] of cases)
    it(`begin and end at a midnight of theirs ${when}`, () => {
      const found = wholeDays(days, timeZone, new Date(now))
      assert.deepEqual([found.first, found.next], [new Date(first), new Date(next)])
    })
})
