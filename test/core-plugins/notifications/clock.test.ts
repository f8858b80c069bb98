import assert from 'node:assert/strict'
import { nextDigest, quietUntil, type QuietHours } from '../../../core-plugins/notifications/channels/clock.ts'

const night: QuietHours = { from: '22:00', to: '07:30' }

describe('the clock of notifications', () => {
  const ends = (hours: QuietHours | null, zone: string, now: string): string | undefined =>
    quietUntil(hours, zone, new Date(now))?.toISOString()

  it('is quiet by the reader’s clock, over midnight too, and the end is not in it', () => {
    assert.deepEqual(
      [
        ends(night, 'Asia/Shanghai', '2026-11-23T14:00:00.000Z'),
        ends(night, 'Asia/Shanghai', '2026-11-23T13:59:59.999Z'),
        ends(night, 'Asia/Shanghai', '2026-11-23T23:29:59.000Z'),
        ends(night, 'Asia/Shanghai', '2026-11-23T23:30:00.000Z'),
        ends(night, 'UTC', '2026-11-23T14:00:00.000Z'),
        ends({ from: '12:00', to: '13:00' }, 'America/New_York', '2026-11-23T17:15:00.000Z'),
        ends({ from: '12:00', to: '12:00' }, 'UTC', '2026-11-23T12:00:00.000Z'),
        ends(null, 'UTC', '2026-11-23T12:00:00.000Z'),
      ],
      [
        '2026-11-23T23:30:00.000Z',
        undefined,
        '2026-11-23T23:30:00.000Z',
        undefined,
        undefined,
        '2026-11-23T18:00:00.000Z',
        undefined,
        undefined,
      ],
    )
  })

  it('ends the quiet when the clock says so, in the night in which it changes too', () => {
    assert.deepEqual(
      [
        // Berlin goes from UTC+1 to UTC+2 at 01:00 UTC, and back in autumn.
        ends(night, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'),
        ends(night, 'Europe/Berlin', '2026-10-24T23:00:00.000Z'),
        // 02:30 is not there in that night: the quiet ends when the clock jumps over it.
        ends({ from: '23:00', to: '02:30' }, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'),
      ],
      ['2026-03-29T05:30:00.000Z', '2026-10-25T06:30:00.000Z', '2026-03-29T01:00:00.000Z'],
    )
  })

  it('sums up at eight in the morning, each day or on Mondays', () => {
    // A Monday, 08:00 in Shanghai.
    const monday = new Date('2026-11-23T00:00:00.000Z')
    assert.deepEqual(
      [
        nextDigest('daily', 'Asia/Shanghai', monday),
        nextDigest('weekly', 'Asia/Shanghai', monday),
        nextDigest('daily', 'America/Los_Angeles', monday),
        nextDigest('weekly', 'America/Los_Angeles', monday),
      ].map((moment) => moment.toISOString()),
      ['2026-11-24T00:00:00.000Z', '2026-11-30T00:00:00.000Z', '2026-11-23T16:00:00.000Z', '2026-11-23T16:00:00.000Z'],
    )
  })
})
