import assert from 'node:assert/strict'
import type { Bus } from '../../../../kernel/data/bus.ts'
import { createMemoryCache } from '../../../../kernel/data/memory-cache.ts'
import { RoutingTable } from '../../../../core-plugins/ai/routing/routing-table.ts'
import { usualRouting } from '../../../../core-plugins/ai/routing/settings.ts'
import { SharedRouting } from '../../../../core-plugins/ai/routing/shared-routing.ts'
import { until } from '../../../support/until.ts'
import { send, tableOf, target, wish } from './world.ts'

describe('Limits', () => {
  it('of requests at once, of a target and of its provider, send what is more elsewhere', () => {
    const { table } = tableOf()
    const a = target('a', { maxConcurrency: 2 })
    const b = target('b', { providerLimits: { maxConcurrency: 1 } })
    const held = [table.begin(a, wish), table.begin(a, wish), table.begin(b, wish)]
    assert.deepEqual(becauses(table, [a, b]), ['2 of 2 in flight', 'its provider has 1 of 1 in flight'])
    held[0]?.end({ end: 'neutral' })
    held[0]?.end({ end: 'neutral' })
    assert.equal(table.target(a.key).inFlight, 1, 'an attempt ends once')
  })

  it('of a provider a minute are kept, and what was not used is given back', () => {
    const { table, pass } = tableOf()
    const a = target('a', { providerLimits: { rpm: 60, tpm: 6_000 } })
    const large = { inputTokens: 100, maxOutputTokens: 5_000 }
    const attempt = table.begin(a, large)
    assert.deepEqual(becauses(table, [a], large), ["the provider's limit a minute is reached"])
    attempt.end({ end: 'ok', outputTokens: 50 })
    assert.deepEqual(becauses(table, [a], large), [])
    for (let each = 0; each < 59; each++) table.begin(a, wish).end({ end: 'ok', outputTokens: 1 })
    assert.deepEqual(becauses(table, [a]), ["the provider's limit a minute is reached"])
    pass(1)
    assert.deepEqual(becauses(table, [a]), [])
  })

  it('of what a target can do leave it out, and say what it lacks', () => {
    const { table } = tableOf()
    const plain = target('plain', { capabilities: { tools: false } })
    const small = target('small', { contextWindow: 1_000 })
    const refused = { ...wish, refuses: () => 'not allowed' }
    assert.deepEqual(becauses(table, [plain], { ...wish, needs: ['tools'] }), ['has no tools'])
    assert.deepEqual(becauses(table, [small], { inputTokens: 900, maxOutputTokens: 200 }), [
      '1100 tokens are more than its context of 1000',
    ])
    assert.deepEqual(becauses(table, [plain], refused), ['not allowed'])
    assert.deepEqual(becauses(table, [plain], { ...wish, tried: new Set(['plain']) }), ['tried in this request'])
  })

  it('of retries are a fifth of the requests and three a second', () => {
    const { table, pass } = tableOf()
    const budget = table.budget('route')
    const take = () => {
      let taken = 0
      while (budget.take(3)) taken++
      return taken
    }
    assert.equal(take(), 30, 'ten seconds of quiet')
    for (let each = 0; each < 50; each++) budget.request(0.2, 3)
    assert.equal(take(), 10)
    pass(2)
    assert.equal(take(), 6)
  })
})

describe('Hosts that share a Redis', () => {
  it('learn of each other’s targets at once, and later ones from what is kept', async () => {
    const host = hostsOfOneRedis()
    const [a, b] = [host(), host()]
    const one = target('one')
    send(a.table, one, 'server', 'server', 'server', 'server', 'server')
    a.table.begin(one, wish).end({ end: 'rate_limit', retryAfterMs: 40_000 })
    const stands = ({ table }: { table: RoutingTable }) => {
      const { breaker, cooldown } = table.target(one.key)
      return [breaker.state, cooldown.until > Date.now() + 30_000]
    }
    assert.deepEqual(stands(b), ['open', true])
    const late = host()
    assert.deepEqual(stands(late), ['closed', false])
    await late.shared.recall(late.table, new Set([one.key, one.providerId]))
    assert.deepEqual(stands(late), ['open', true])
    b.table.target(one.key).breaker.reset()
    assert.deepEqual([stands(a)[0], stands(late)[0]], ['closed', 'closed'])
    for (const { membership } of [a, b, late]) membership[Symbol.dispose]()
  })

  it('keep the limits a minute of a provider together', async () => {
    const host = hostsOfOneRedis()
    const [a, b] = [host(), host()]
    const one = target('one', { providerLimits: { rpm: 10, tpm: 1_000 } })
    const isFull = ({ table }: { table: RoutingTable }) => becauses(table, [one]).length === 1
    for (let each = 0; each < 5; each++) a.table.begin(one, wish)
    for (let each = 0; each < 5; each++) b.table.begin(one, wish)
    await until(() => isFull(a) && isFull(b))

    const other = target('other', { providerLimits: { tpm: 1_000 } })
    const large = { inputTokens: 100, maxOutputTokens: 800 }
    const attempt = a.table.begin(other, large)
    await until(() => becauses(b.table, [other], large).length === 1)
    attempt.end({ end: 'ok', outputTokens: 0 })
    await until(() => becauses(b.table, [other], large).length === 0, 2_000)
    for (const { membership } of [a, b]) membership[Symbol.dispose]()
  })
})

/** Makes hosts that hear each other and have one cache. */
function hostsOfOneRedis() {
  const cache = createMemoryCache().withPrefix('')
  const wires: ((channel: string, word: unknown) => void)[] = []
  return () => {
    const heard: [string, (word: unknown) => void][] = []
    const own = (channel: string, word: unknown) => {
      for (const [name, hear] of heard) if (name === channel) hear(word)
    }
    wires.push(own)
    const bus: Bus = {
      publish: (channel, word) => {
        for (const wire of wires) if (wire !== own) wire(channel, structuredClone(word))
        return Promise.resolve(true)
      },
      subscribe: (channel, listener) => {
        heard.push([channel, (word) => void listener(word)])
        return { [Symbol.dispose]: () => heard.splice(0) }
      },
      onMissed: () => ({ [Symbol.dispose]: () => undefined }),
    }
    const shared = new SharedRouting(bus, cache)
    const table = new RoutingTable({ now: Date.now, random: () => 0.5, settings: () => usualRouting, news: shared })
    return { table, shared, membership: shared.join(table) }
  }
}

function becauses(table: RoutingTable, targets: Parameters<RoutingTable['survey']>[0], of = wish): readonly string[] {
  return table.survey(targets, 'balanced', of).rejected.map(({ admission }) => admission.because)
}
