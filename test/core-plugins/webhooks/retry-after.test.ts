import assert from 'node:assert/strict'
import { readRetryAfter } from '../../../core-plugins/webhooks/deliveries/retry-after.ts'

describe('Retry-After', () => {
  it('is seconds or a date, an hour at most', () => {
    const now = Date.parse('Tue, 24 Nov 2026 08:00:00 GMT')
    const read = (value?: string): number => readRetryAfter(value, now)
    assert.deepEqual(
      [
        ...[read(), read('120'), read('999999'), read('Tue, 24 Nov 2026 08:02:00 GMT')],
        ...[read('Tue, 24 Nov 2026 07:00:00 GMT'), read('Wed, 25 Nov 2026 08:00:00 GMT'), read('soon'), read('')],
      ],
      [0, 120_000, 3_600_000, 120_000, 0, 3_600_000, 0, 0],
    )
  })
})
