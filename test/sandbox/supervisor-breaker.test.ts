import assert from 'node:assert/strict'

import { Breaker } from '../../sandbox/supervisor/breaker.ts'

describe('the circuit breaker of a plugin', () => {
  let time = 0
  let quarantines = 0
  let breaker: Breaker

  beforeEach(() => {
    time = 1_000_000
    quarantines = 0
    breaker = new Breaker({ now: () => time, onQuarantine: () => quarantines++ })
  })

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
    assert.deepEqual(breaker.admit(), { admitted: true })
    assert.deepEqual(breaker.admit(), { admitted: false, state: 'half_open', retryAfterMs: 30_000 })
    breaker.record('ok')
    assert.deepEqual([breaker.state, breaker.admit()], ['closed', { admitted: true }])
  })

  it('opens again when the probe fails, and forgets a probe that never ended', () => {
    kill(3)
    time += 30_000
    breaker.admit()
    time += 30_000
    assert.deepEqual(breaker.admit(), { admitted: true })
    breaker.record('error')
    assert.equal(breaker.state, 'open')
  })

  it('asks for quarantine at the third opening in an hour, until it is reset', () => {
    for (let index = 0; index < 3; index++) {
      kill(3)
      time += 30_000
      breaker.admit()
      if (index < 2) breaker.record('ok')
    }
    assert.deepEqual([breaker.state, quarantines], ['quarantined', 1])
    breaker.record('ok')
    assert.equal(breaker.state, 'quarantined')
    breaker.reset()
    assert.deepEqual(breaker.admit(), { admitted: true })
  })

  it('opens and closes with the breakers of other hosts, whose openings count', () => {
    const words: string[] = []
    breaker = new Breaker({ now: () => time, onQuarantine: () => quarantines++, onChange: (word) => words.push(word) })
    breaker.follow('opened')
    assert.equal(breaker.admit().admitted, false)
    breaker.follow('opened')
    breaker.follow('closed')
    assert.deepEqual(breaker.admit(), { admitted: true })
    kill(3)
    time += 30_000
    breaker.admit()
    breaker.record('ok')
    assert.deepEqual([words, quarantines], [['opened', 'closed'], 0])
    breaker.follow('opened')
    assert.deepEqual([breaker.state, quarantines, words.length], ['quarantined', 1, 2])
    breaker.follow('closed')
    assert.equal(breaker.state, 'quarantined')
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
      assert.deepEqual([admits(2), admits(2)], [true, false])
      breaker.record('error', 2)
      assert.deepEqual([admits(1), admits(2)], [true, false])
      time += 30_000
      assert.equal(admits(2), true)
      breaker.record('ok', 2)
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
