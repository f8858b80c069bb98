import assert from 'node:assert/strict'

interface Module {
  readonly byDay: (
    rows: readonly { readonly updated_at: string }[],
    timeZone: string,
    now: number,
  ) => readonly { readonly kind: string; readonly key: string; readonly rows: readonly { updated_at: string }[] }[]
}

// Not by its name: it has the types of a browser, which the tests have not.
const file = new URL('../../../core-plugins/console/web/pages/user/chat/by-day.ts', import.meta.url).href

describe('days of conversations', () => {
  let byDay: Module['byDay']
  before(async () => {
    ;({ byDay } = (await import(file)) as Module)
  })

  const placesOf = (moments: readonly string[], timeZone: string, now: string) => {
    const groups = byDay(
      moments.map((moment) => ({ updated_at: moment })),
      timeZone,
      Date.parse(now),
    )
    return groups.map(({ kind, key, rows }) => [kind, key, rows.length])
  }

  it('end and begin at the midnight of the reader', () => {
    const moments = ['2026-11-28T17:00Z', '2026-11-28T15:59Z', '2026-11-27T15:59Z']
    assert.deepEqual(placesOf(moments, 'Asia/Shanghai', '2026-11-28T18:00Z'), [
      ...[
        ['today', 'today', 1],
        ['yesterday', 'yesterday', 1],
        ['week', 'week', 1],
      ],
    ])
    assert.deepEqual(placesOf(moments, 'UTC', '2026-11-28T18:00Z'), [
      ...[
        ['today', 'today', 2],
        ['yesterday', 'yesterday', 1],
      ],
    ])
  })

  it('are days also where the clock changes', () => {
    // The day of 23 hours and the one of 25.
    for (const [now, moment] of [
      ['2026-03-29T21:59Z', '2026-03-28T22:59Z'],
      ['2026-10-25T22:59Z', '2026-10-24T21:59Z'],
    ] as const)
      assert.deepEqual(placesOf([now, moment], 'Europe/Berlin', now), [
        ...[
          ['today', 'today', 1],
          ['yesterday', 'yesterday', 1],
        ],
      ])
  })

  it('become months after a week, and what comes from a faster clock is of today', () => {
    const moments = [
      '2027-01-04T00:00Z',
      '2026-12-28T12:00Z',
      '2026-12-27T12:00Z',
      '2026-12-01T12:00Z',
      '2026-11-30T12:00Z',
    ]
    assert.deepEqual(placesOf(moments, 'UTC', '2027-01-03T23:59Z'), [
      ...[
        ['today', 'today', 1],
        ['week', 'week', 1],
        ['month', '2026-12', 2],
        ['month', '2026-11', 1],
      ],
    ])
  })
})
