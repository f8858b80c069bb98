import assert from 'node:assert/strict'
import type { Strategy } from '../../../../core-plugins/ai/routing/settings.ts'
import type { Target, Wish } from '../../../../core-plugins/ai/routing/target.ts'
import { seeded, send, tableOf, target, wish } from './world.ts'

const strategies: readonly Strategy[] = ['priority', 'weighted', 'latency', 'cost', 'least_busy', 'balanced', 'sticky']

describe('The share that each target gets', () => {
  it('sums to one and is at least 2 % of a target that is well, whatever the weights and the strategy', () => {
    const random = seeded(7)
    for (let round = 0; round < 300; round++) {
      const { table } = tableOf()
      const targets = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, at) =>
        target(`t${String(at)}`, { weight: random() < 0.1 ? 0 : 10 ** (random() * 5), price: random() * 10 + 0.01 }),
      )
      for (const each of targets) {
        if (random() < 0.5) table.begin(each, wish).end({ end: 'ok', ttftMs: 1 + random() * 5_000 })
        if (random() < 0.3) table.begin(each, wish)
      }
      for (const strategy of strategies) {
        const { candidates } = table.survey(targets, strategy, { ...wish, stream: true })
        if (candidates.length === 0) continue
        const shares = candidates.map(({ share }) => share)
        assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-9, `${strategy}: ${String(shares)}`)
        assert.ok(
          shares.every((share) => share >= Math.min(0.02, 1 / shares.length) - 1e-12),
          `${strategy}: ${String(shares)}`,
        )
      }
    }
  })

  it('is what is drawn: 80 and 20 by weight, the floor for the smallest', () => {
    const targets = [target('a', { weight: 80 }), target('b', { weight: 20 }), target('c', { weight: 0.001 })]
    const drawn = spread(targets, 'weighted', 20_000)
    assert.ok(near(drawn['a'], 0.784, 0.015) && near(drawn['b'], 0.196, 0.015) && near(drawn['c'], 0.02, 0.005))
  })

  it('goes by price, speed and load where the strategy says so', () => {
    const cheap = [target('a', { price: 1 }), target('b', { price: 4 })]
    assert.ok(near(spread(cheap, 'cost', 10_000)['a'], 0.8, 0.02))

    const { table } = tableOf()
    const [fast, slow] = [target('fast'), target('slow')]
    table.begin(fast, wish).end({ end: 'ok', ttftMs: 100 })
    table.begin(slow, wish).end({ end: 'ok', ttftMs: 200 })
    const shareOf = (strategy: Strategy, more: Partial<Wish> = { stream: true }) =>
      table.survey([fast, slow], strategy, { ...wish, ...more }).candidates.map(({ share }) => share)
    assert.ok(near(shareOf('latency')[0], 2 / 3, 1e-9))
    assert.deepEqual(shareOf('latency', { stream: false }), [0.5, 0.5], 'no whole answer was measured')
    for (let each = 0; each < 100; each++) table.begin(fast, wish)
    assert.ok(near(shareOf('least_busy')[0], 1 / 3, 1e-9))
  })

  it('is smaller for what fails, by the square of its success, and whole again after a while', () => {
    const { table, pass } = tableOf({ minRequests: 1_000, consecutive: 1_000 })
    const [good, bad] = [target('good'), target('bad')]
    for (let each = 0; each < 50; each++) send(table, bad, 'ok', 'server')
    const share = () => table.survey([good, bad], 'balanced', wish).candidates[1]?.share
    assert.ok(near(share(), 0.2, 0.02), String(share()))
    pass(3_600)
    assert.ok(near(share(), 0.5, 0.01), String(share()))
  })

  it('is kept under load: nobody herds to the target that looks best', () => {
    const { table } = tableOf()
    const targets = [target('a', { weight: 3 }), target('b', { weight: 1 })]
    const inFlight: Record<string, number> = { a: 0, b: 0 }
    for (const each of targets) send(table, each, 'ok')
    for (let each = 0; each < 400; each++) {
      const choice = table.choose(targets, 'balanced', wish)
      assert.equal(choice.kind, 'go')
      if (choice.kind !== 'go') return
      table.begin(choice.target, wish)
      inFlight[choice.target.id]!++
    }
    // By load alone both would have the same, by weight alone three to one.
    assert.ok(inFlight['a']! > 230 && inFlight['a']! < 310, JSON.stringify(inFlight))
  })

  it('of a key is one target, which keeps its keys when another goes', () => {
    const targets = ['a', 'b', 'c', 'd'].map((id) => target(id))
    const { table } = tableOf()
    const home = (among: readonly Target[], key: string) => {
      const choice = table.choose(among, 'sticky', { ...wish, stickyKey: key })
      return choice.kind === 'go' ? choice.target.id : choice.kind
    }
    const keys = Array.from({ length: 400 }, (_, at) => `conversation ${String(at)}`)
    const homes = new Map(keys.map((key) => [key, home(targets, key)]))
    for (const id of ['a', 'b', 'c', 'd']) {
      assert.ok(near([...homes.values()].filter((at) => at === id).length / 400, 0.25, 0.07), id)
    }
    for (const [key, at] of homes) {
      if (at !== 'd') assert.equal(home(targets.slice(0, 3), key), at)
    }
  })
})

function spread(targets: readonly Target[], strategy: Strategy, times: number): Record<string, number> {
  const { table } = tableOf()
  for (const each of targets) send(table, each, 'ok')
  const counts: Record<string, number> = {}
  for (let each = 0; each < times; each++) {
    const choice = table.choose(targets, strategy, wish)
    if (choice.kind === 'go') counts[choice.target.id] = (counts[choice.target.id] ?? 0) + 1 / times
  }
  return counts
}

function near(value: number | undefined, wished: number, within: number): boolean {
  return value !== undefined && Math.abs(value - wished) <= within
}
