import assert from 'node:assert/strict'
import { RoutingTable } from '../../../../core-plugins/ai/routing/routing-table.ts'
import { usualRouting } from '../../../../core-plugins/ai/routing/settings.ts'
import { send, tableOf, target, wish } from './world.ts'

const one = target('one')
const two = target('two', { tier: 1 })

describe('A target that fails', () => {
  it('is left alone after five failures in a row, alone in its route or not', () => {
    const { table, told } = tableOf()
    send(table, one, 'ok', 'server', 'connect', 'timeout', 'truncated')
    assert.equal(goesTo(table), 'one')
    send(table, one, 'bad_response')
    assert.equal(goesTo(table), 'two')
    assert.equal(goesTo(table, [one]), 'none')
    assert.deepEqual(told, [['p-one/one', 'failures']])
  })

  it('is left alone when half of ten fail within the window, and not for what is older', () => {
    const { table, pass } = tableOf()
    send(table, one, 'server', 'server', 'server', 'server')
    pass(31)
    for (let each = 0; each < 5; each++) send(table, one, 'ok', 'server')
    assert.equal(table.target(one.key).breaker.state, 'open')
    const later = tableOf()
    send(later.table, one, 'server', 'server', 'server', 'server')
    later.pass(31)
    for (let each = 0; each < 4; each++) send(later.table, one, 'ok', 'server')
    send(later.table, one, 'ok', 'ok')
    assert.equal(later.table.target(one.key).breaker.state, 'closed')
  })

  it('is not left alone for what callers do, refused requests or 429', () => {
    const { table } = tableOf()
    for (let each = 0; each < 50; each++) send(table, one, 'neutral', 'rate_limit')
    assert.equal(table.target(one.key).breaker.state, 'closed')
  })

  it('takes one real request at a time once its time has come, and is back after two good ones, slowly', () => {
    const { table, pass, told } = tableOf()
    open(table)
    pass(6.1)
    const choice = table.choose([one, two], 'balanced', wish)
    assert.deepEqual([choice.kind, choice.kind === 'go' && choice.isProbe], ['go', true])
    const probe = table.begin(one, wish)
    assert.equal(goesTo(table), 'two', 'the probe is under way')
    probe.end({ end: 'ok' })
    send(table, one, 'ok')
    assert.deepEqual(told.at(-1), ['p-one/one', 'closed'])
    const share = () => table.survey([one, { ...two, tier: 0 }], 'weighted', wish).candidates[0]?.share ?? 0
    assert.ok(share() < 0.1, 'a tenth of the other at first')
    pass(30)
    assert.equal(share(), 0.5)
  })

  it('is left alone for twice as long after each probe that fails, up to two minutes', () => {
    const { table, clock } = tableOf()
    open(table)
    const times = Array.from({ length: 8 }, () => {
      const { until, openedAt } = table.target(one.key).breaker.record
      clock.at = until
      send(table, one, 'server')
      return until - openedAt
    })
    times.forEach((time, at) => {
      const usual = Math.min(5_000 * 2 ** at, 120_000)
      assert.ok(time >= usual * 0.8 && time <= Math.min(usual * 1.2, 120_000), `${String(at)}: ${String(time)}`)
    })
  })

  it('wastes no more than ten attempts of a minute of requests', () => {
    for (const targets of [[one, two], [one]]) {
      for (let seed = 1; seed < 8; seed++) {
        const { table, pass } = tableOf({}, seed)
        let wasted = 0
        for (let at = 0; at < 6_000; at++) {
          pass(0.01)
          const choice = table.choose(targets, 'balanced', wish)
          if (choice.kind !== 'go') continue
          const isOne = choice.target === one
          if (isOne) wasted++
          table.begin(choice.target, wish, choice.isEarly).end({ end: isOne ? 'server' : 'ok' })
        }
        assert.ok(wasted <= 10, `${String(wasted)} with ${String(targets.length)} targets`)
      }
    }
  })

  it('gets few requests at once until it has answered, while another takes them', () => {
    const { table } = tableOf()
    const [a, b] = [target('a'), target('b')]
    send(table, b, 'ok')
    let toA = 0
    for (let each = 0; each < 200; each++) {
      const choice = table.choose([a, b], 'weighted', wish)
      if (choice.kind !== 'go') continue
      if (choice.target === a) toA++
      table.begin(choice.target, wish)
    }
    assert.equal(toA, 5)
  })

  it('tells nothing new by what began before it was left alone', () => {
    const { table, clock } = tableOf()
    const old = table.begin(one, wish)
    open(table)
    clock.at = table.target(one.key).breaker.record.until
    old.end({ end: 'ok' })
    send(table, one, 'ok')
    assert.equal(table.target(one.key).breaker.state, 'half_open')
  })
})

describe('A provider', () => {
  it('is left alone with all its targets when nobody gets through, and not when it answers badly', () => {
    const { table } = tableOf()
    const [a, b] = [target('a', { providerId: 'p' }), target('b', { providerId: 'p' })]
    send(table, a, 'server', 'server', 'server', 'server')
    send(table, b, 'server', 'server', 'server', 'server')
    assert.equal(table.provider('p').breaker.state, 'closed')
    send(table, a, 'connect')
    send(table, b, 'connect', 'connect', 'connect', 'connect')
    assert.equal(table.provider('p').breaker.state, 'open')
  })

  it('that refuses the credentials is left alone for five minutes, and no panic tries it', () => {
    const { table, pass, told } = tableOf()
    send(table, one, 'auth')
    pass(200)
    const choice = table.choose([one], 'balanced', wish)
    assert.deepEqual(choice.kind === 'none' && [choice.retryAfterMs, choice.rejected[0]?.admission.because], [
      100_000,
      "the provider's breaker open, credentials refused: 401 or 403",
    ])
    assert.deepEqual(told, [['p-one', 'auth_failed']])
    pass(101)
    assert.equal(goesTo(table), 'one')
  })
})

describe('A target that asks for a pause', () => {
  it('gets it, and a shorter wish shortens nothing', () => {
    const { table, pass } = tableOf()
    table.begin(one, wish).end({ end: 'rate_limit', retryAfterMs: 20_000 })
    table.begin(one, wish).end({ end: 'rate_limit', retryAfterMs: 1_000 })
    pass(19)
    assert.equal(goesTo(table), 'two')
    pass(1)
    assert.equal(goesTo(table), 'one')
  })

  it('gets one, two, four seconds where it does not say how long, a minute at most', () => {
    const { table, told, pass } = tableOf()
    for (let each = 0; each < 8; each++) {
      send(table, one, 'rate_limit')
      pass(60)
    }
    assert.deepEqual(
      told.map(([, ms]) => ms),
      [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000),
    )
  })

  it('is waited for where it is all there is and its time is near, else tried once', () => {
    const { table } = tableOf()
    table.begin(one, wish).end({ end: 'rate_limit', retryAfterMs: 1_500 })
    const soon = table.choose([one], 'balanced', wish)
    assert.deepEqual(soon.kind === 'wait' && soon.ms, 1_500)
    table.begin(one, wish).end({ end: 'rate_limit', retryAfterMs: 30_000 })
    const far = table.choose([one], 'balanced', wish)
    assert.equal(far.kind === 'go' && far.isEarly, true)
    table.begin(one, wish, true)
    assert.deepEqual(table.choose([one], 'balanced', wish).kind, 'none')
    const strict = tableOf({ panic: 'fail' })
    strict.table.begin(one, wish).end({ end: 'rate_limit', retryAfterMs: 1_500 })
    const none = strict.table.choose([one], 'balanced', wish)
    assert.equal(none.kind === 'none' && none.retryAfterMs, 1_500)
  })
})

describe('A person', () => {
  it('trips a target, tries it before its time and resets it', () => {
    const { table, clock } = tableOf()
    const { breaker } = table.target(one.key)
    breaker.force('tripped', clock.at + 600_000, 'vendor incident')
    const { rejected } = table.survey([one, two], 'balanced', wish)
    assert.deepEqual(
      rejected.map(({ admission }) => admission.because),
      ['breaker tripped: vendor incident'],
    )
    breaker.probeNow()
    assert.equal(goesTo(table), 'one')
    breaker.force('drained', clock.at + 600_000, '')
    breaker.reset()
    assert.deepEqual([breaker.state, goesTo(table)], ['closed', 'one'])
  })

  it('is heard on other hosts, whatever they thought before', () => {
    const { table, clock } = tableOf()
    const other = new RoutingTable({ now: () => clock.at, random: () => 0.5, settings: () => usualRouting })
    const tell = () => other.hear(one.key, { breaker: table.target(one.key).breaker.record })
    open(other)
    table.target(one.key).breaker.force('tripped', clock.at + 1_000, 'short')
    tell()
    assert.equal(other.target(one.key).breaker.record.kind, 'tripped')
    table.target(one.key).breaker.reset()
    tell()
    assert.equal(other.target(one.key).breaker.state, 'closed')
    open(other)
    other.hear(one.key, { breaker: { ...table.target(one.key).breaker.record } })
    assert.equal(other.target(one.key).breaker.state, 'open', 'an older closing changes nothing')
    other.hear(one.key, { cooldown: clock.at + 9_000 })
    other.hear(one.key, { cooldown: clock.at + 5_000 })
    assert.equal(other.target(one.key).cooldown.until, clock.at + 9_000)
  })
})

function open(table: RoutingTable): void {
  send(table, one, 'server', 'server', 'server', 'server', 'server')
}

function goesTo(table: RoutingTable, targets = [one, two]): string {
  const choice = table.choose(targets, 'balanced', wish)
  return choice.kind === 'go' ? choice.target.id : choice.kind === 'wait' ? 'none' : choice.kind
}
