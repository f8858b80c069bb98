import { deepEqual } from 'node:assert/strict'
import { readDone, toEnding } from '../../sandbox/wire/outcome.ts'
import { effectiveLimits } from '../../sandbox/effective-limits.ts'

/** What comes from a guest, or from a host that was taken over, that does not keep to the rules of the glue. */
describe('the end of a call, believed as far as it can be checked', () => {
  const limits = { ...effectiveLimits(), responseBytes: 300 }
  const tooLarge = { ok: false, kind: 'limit', limit: 'response_bytes' }

  it('is refused where the answer is larger than it may be, in bytes', () => {
    const fits = ['x'.repeat(300), 'é'.repeat(150), '€'.repeat(100)]
    const over = ['x'.repeat(301), `${'é'.repeat(150)}x`, '€'.repeat(101)]
    deepEqual(
      fits.map((value) => toEnding('done', value, limits)),
      fits.map((value) => ({ ok: true, value })),
    )
    deepEqual(
      over.map((value) => toEnding('done', value, limits)),
      over.map(() => tooLarge),
    )
  })

  it('costs what a figure says, and nothing where it says none', () => {
    const figures = ['12.5', '-1', 'NaN', 'Infinity', '']
    deepEqual(
      figures.map((figure) => readDone([figure, figure, 'null'], 3)),
      [12.5, 0, 0, 0, 0].map((cost) => ({ ok: true, value: 'null', cpuMs: cost, wallMs: 3, hostCalls: cost })),
    )
  })
})
