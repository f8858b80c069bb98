import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { SendLimits, type SendTarget } from '../../../core-plugins/auth/codes/send-limits.ts'
import { MemoryRateLimiter } from '../../../kernel/data/memory-rate-limiter.ts'

describe('the limits of messages with codes, by a clock that the test turns', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  const target: SendTarget = { tenantId: 7, name: 'ann@acme.test', purpose: 'login' }

  it('leave an address ten a day in all, one a minute, whatever they are for', async () => {
    const limits = new SendLimits(new MemoryRateLimiter())
    const allowed: boolean[] = [await limits.allows(target), await limits.allows(target)]
    for (let count = 1; count < 11; count += 1) {
      mock.timers.tick(60_000)
      allowed.push(await limits.allows({ ...target, purpose: count % 2 === 0 ? 'login' : 'reset' }))
    }
    const others = [await limits.allows({ ...target, tenantId: 8 }), await limits.allows({ ...target, name: 'bob' })]
    mock.timers.tick(86_400_000)
    const tomorrow = await limits.allows(target)
    assert.deepEqual(
      [allowed, others, tomorrow],
      [[true, false, ...Array<boolean>(9).fill(true), false], [true, true], true],
    )
  })

  it('tell who asks too often how long to wait', async () => {
    const limits = new SendLimits(new MemoryRateLimiter())
    await limits.demand(target)
    mock.timers.tick(20_000)
    await assert.rejects(limits.demand(target), { code: 4295, details: { retry_after: 40 } })
  })
})
