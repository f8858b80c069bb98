import assert from 'node:assert/strict'

import { Breaker, type Probe } from '../../sandbox/health/breaker.ts'
import type { BreakerSign } from '../../sandbox/health/sign-window.ts'

describe('the circuit breaker of a plugin', () => {
  let time = 0
  let quarantines = 0
  let breaker: Breaker

  beforeEach(() => {
    time = 1_000_000
    quarantines = 0
    breaker = new Breaker({ now: () => time, onQuarantine: () => quarantines++ })
  })

  /** The call that is let in to see. */
  const probe = (tenant = 0): Probe => {
    const admittance = breaker.admit(tenant)
    assert.ok(admittance.admitted && admittance.probe)
    return admittance.probe
  }
  const kill = (times: number): void => {
    for (let index = 0; index < times; index++) breaker.recordKill()
  }

  it('opens after three kills in five minutes', () => {
    kill(2)
    time += 5 * 60_000 + 1
    kill(2)
    assert.equal(breaker.state, 'closed')
    kill(1)
    assert.deepEqual(breaker.admit(), { admitted: false, state: 'open', retryAfterMs: 30_000 })
  })

  it('does not open for a few limit hits among many calls that go well', () => {
    for (let index = 0; index < 90; index++) breaker.record('ok')
    for (let index = 0; index < 8; index++) breaker.record('limit')
    assert.equal(breaker.state, 'closed')
    for (let index = 0; index < 4; index++) breaker.record('spent')
    assert.equal(breaker.state, 'open')
  })

  it('opens after five limit hits in a minute', () => {
    for (let index = 0; index < 4; index++) breaker.record('limit')
    time += 60_001
    for (let index = 0; index < 4; index++) breaker.record('limit')
    assert.equal(breaker.state, 'closed')
    breaker.record('limit')
    assert.equal(breaker.state, 'open')
  })

  it('opens when more than half of at least twenty calls fail', () => {
    for (let index = 0; index < 10; index++) breaker.record('ok')
    for (let index = 0; index < 10; index++) breaker.record('error')
    assert.equal(breaker.state, 'closed')
    breaker.record('error')
    assert.equal(breaker.state, 'open')
  })

  it('lets one call through after half a minute, and closes when it goes well', () => {
    kill(3)
    time += 30_000
    const mine = probe()
    assert.deepEqual(breaker.admit(), { admitted: false, state: 'half_open', retryAfterMs: 30_000 })
    breaker.record('ok', 0, mine)
    assert.deepEqual([breaker.state, breaker.admit()], ['closed', { admitted: true }])
  })

  it('opens again when the probe fails, however long that took, and lets no second one in beside it', () => {
    kill(3)
    time += 30_000
    const mine = probe()
    time += 600_000
    assert.equal(breaker.admit().admitted, false)
    breaker.record('error', 0, mine)
    assert.equal(breaker.state, 'open')
  })

  it('takes the word of the probe, and of no call that went in before', () => {
    kill(3)
    time += 30_000
    const mine = probe()
    for (const sign of ['ok', 'error'] as const) breaker.record(sign)
    breaker.recordNothing(undefined)
    assert.deepEqual([breaker.state, breaker.admit().admitted], ['half_open', false])
    breaker.recordNothing(mine)
    const next = probe()
    // Told twice of the end of the first, which is none any more.
    breaker.recordNothing(mine)
    breaker.record('error', 0, mine)
    assert.deepEqual([breaker.state, breaker.admit().admitted], ['half_open', false])
    breaker.record('ok', 0, next)
    assert.equal(breaker.state, 'closed')
  })

  it('asks for quarantine at the third opening in an hour, until it is reset', () => {
    for (let index = 0; index < 3; index++) {
      kill(3)
      time += 30_000
      if (index < 2) breaker.record('ok', 0, probe())
    }
    assert.deepEqual([breaker.state, quarantines], ['quarantined', 1])
    breaker.record('ok')
    assert.equal(breaker.state, 'quarantined')
    breaker.reset()
    assert.deepEqual(breaker.admit(), { admitted: true })
  })

  it('opens and closes with the breakers of other hosts, whose openings count when they were proven', () => {
    const words: string[] = []
    breaker = new Breaker({ now: () => time, onQuarantine: () => quarantines++, onChange: (word) => words.push(word) })
    breaker.follow('proven')
    assert.equal(breaker.admit().admitted, false)
    breaker.follow('proven')
    breaker.follow('closed')
    assert.deepEqual(breaker.admit(), { admitted: true })
    for (let index = 0; index < 3; index++) {
      breaker.follow('opened')
      assert.equal(breaker.admit().admitted, false)
      breaker.follow('closed')
    }
    kill(3)
    time += 30_000
    breaker.record('ok', 0, probe())
    assert.deepEqual([words, quarantines], [['proven', 'closed'], 0])
    breaker.follow('proven')
    assert.deepEqual([breaker.state, quarantines, words.length], ['quarantined', 1, 2])
    breaker.follow('closed')
    assert.equal(breaker.state, 'quarantined')
  })

  it('tells others of what the plugin did by itself, and keeps to itself what may be its own slowness', () => {
    const words: string[] = []
    const make = (): Breaker =>
      new Breaker({ now: () => time, onQuarantine: () => quarantines++, onChange: (word) => words.push(word) })
    const feed = (signs: readonly BreakerSign[]): string => {
      breaker = make()
      words.length = 0
      for (const sign of signs) breaker.record(sign)
      assert.equal(breaker.state, 'open')
      return words.join()
    }
    const times = (sign: BreakerSign, count: number): BreakerSign[] => Array.from({ length: count }, () => sign)
    assert.equal(feed(times('spent', 5)), 'proven')
    assert.equal(feed(times('error', 20)), 'opened')
    assert.equal(feed(times('limit', 5)), '')
    assert.equal(feed([...times('error', 3), ...times('limit', 5)]), '')
    time += 30_000
    breaker.record('ok', 0, probe())
    assert.deepEqual(words, [])
  })

  it('never gives a plugin up for what was not measured of its isolate', () => {
    for (let index = 0; index < 10; index++) {
      for (let count = 0; count < 20; count++) breaker.record(index % 2 ? 'error' : 'limit')
      assert.equal(breaker.state, 'open')
      time += 30_000
      breaker.record('ok', 0, probe())
    }
    assert.deepEqual([breaker.state, quarantines], ['closed', 0])
    for (let index = 0; index < 3; index++) {
      for (let count = 0; count < 5; count++) breaker.record('spent')
      time += 30_000
      if (index < 2) breaker.record('ok', 0, probe())
    }
    assert.deepEqual([breaker.state, quarantines], ['quarantined', 1])
  })

  it('probes again at once when others are to blame for what became of the probe', () => {
    kill(3)
    time += 30_000
    breaker.recordNothing(probe())
    const next = probe()
    assert.equal(breaker.admit().admitted, false)
    breaker.record('ok', 0, next)
    assert.equal(breaker.state, 'closed')
  })

  it('pauses one tenant alone whose calls fail while those of others go well', () => {
    const feed = (sign: 'ok' | 'error' | 'limit', tenant: number, times: number): void => {
      for (let index = 0; index < times; index++) breaker.record(sign, tenant)
    }
    const admits = (tenant: number): boolean => breaker.admit(tenant).admitted
    feed('ok', 1, 3)
    for (let round = 0; round < 5; round++) {
      feed('limit', 2, 5)
      assert.deepEqual([breaker.state, admits(1), admits(2)], ['closed', true, false])
      time += 30_000
      const mine = probe(2)
      assert.equal(admits(2), false)
      // Of a call that went in before the pause.
      breaker.record('ok', 2)
      assert.equal(admits(2), false)
      breaker.record('error', 2, mine)
      assert.deepEqual([admits(1), admits(2)], [true, false])
      time += 30_000
      breaker.record('ok', 2, probe(2))
      feed('ok', 1, 3)
    }
    assert.deepEqual([quarantines, admits(2)], [0, true])
    time += 60_000
    feed('ok', 1, 3)
    feed('error', 2, 25)
    assert.deepEqual([breaker.state, admits(1), admits(2)], ['closed', true, false])
  })

  it('pauses the plugin when it fails at others, too, or when no other calls it', () => {
    for (let index = 0; index < 10; index++) breaker.record('error', 1)
    for (let index = 0; index < 10; index++) breaker.record('error', 2)
    assert.equal(breaker.state, 'open')
    breaker.reset()
    for (let index = 0; index < 10; index++) breaker.record('ok', 1)
    time += 60_001
    for (let index = 0; index < 5; index++) breaker.record('limit', 2)
    assert.equal(breaker.state, 'open')
  })

  it('remembers the signs of the hundred tenants that called last', () => {
    for (let index = 0; index < 4; index++) breaker.record('limit', 1)
    for (let tenant = 2; tenant <= 101; tenant++) breaker.record('ok', tenant)
    breaker.record('limit', 1)
    assert.equal(breaker.admit(1).admitted, true)
  })
})
