import assert from 'node:assert/strict'
import type { AppError } from '../../../../kernel/errors.ts'
import type { Refusal } from '../../../../core-plugins/ai-ledger/contract.ts'
import { until } from '../../../support/until.ts'
import { costOfUsage } from '../../../../core-plugins/ai/relay/prices.ts'
import { callOf, gateway, hear, relayWorld } from './world.ts'

const whole = { body: { stream: false } } as const

describe('A call that is not answered at once', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  it('goes to the next target for what another may mend, and is refused at once for what it says itself', async () => {
    for (const [status, mended] of [
      ...([500, 502, 503, 429, 401, 404] as const).map((each) => [each, true] as const),
      ...([400, 422] as const).map((each) => [each, false] as const),
    ]) {
      await using world = vendor.world()
      await world.first.behave({ trouble: { kind: 'status', status } })
      const answered = await world.relay.start(callOf(whole)).then(
        ({ answer, about }) => [answer?.parts.length, about.headers['x-ai-attempts'], about.model],
        ({ code }: AppError) => code,
      )
      assert.deepEqual(answered, mended ? [1, '2', 'second'] : 4002, String(status))
      const charged = world.ledger.rows.map(({ outcome }) => outcome)
      const reached = status >= 500 ? ['upstream_error', 'ok'] : ['ok']
      assert.deepEqual(charged, mended ? reached : [], `${String(status)}: no row for what cost nothing`)
      assert.equal(world.ledger.open, 0)
    }
  })

  it('wastes at most ten attempts on a target that is down, and lets one request at a time find out when it is back', async () => {
    await using world = vendor.world({ gateway: { breaker: { ...gateway.breaker, openS: 0.3, slowStartS: 0 } } })
    await world.first.behave({ trouble: { kind: 'status', status: 500 } })
    for (let each = 0; each < 30; each++) {
      const { answer } = await world.relay.start(callOf(whole))
      assert.equal(answer?.parts.length, 1)
    }
    const wasted = (await world.first.seen()).length
    assert.ok(wasted <= 10, String(wasted))
    const { breaker } = world.table.target('p-first/up-first')
    assert.equal(breaker.state, 'open')
    await until(() => breaker.state === 'half_open')
    await world.first.behave({ headMs: 100 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.relay.start(callOf(whole))))
    assert.deepEqual(
      answers.map(({ answer }) => answer?.parts.length),
      answers.map(() => 1),
    )
    assert.equal((await world.first.seen()).length, wasted + 1)
    await world.relay.start(callOf(whole))
    assert.equal(breaker.state, 'closed')
  })

  it('begins nothing once the time for all of it is over', async () => {
    const timeouts = { ...gateway.timeouts, firstTokenMs: 20_000, totalMs: 300 }
    await using world = vendor.world({
      gateway: { timeouts },
      route: { fallbacks: [{ on: ['failed'], model: 'third' }] },
    })
    await world.first.behave({ trouble: { kind: 'hang' } })
    for (const stream of [true, false]) {
      const error = await errorOf(world, { body: { stream } })
      assert.deepEqual([error?.reason, error?.details?.['phase']], ['upstream_timeout', 'total'])
    }
    assert.deepEqual([await world.second.seen(), await world.third.seen(), world.ledger.open], [[], [], 0])
  })

  it('goes where its key may go, whatever the route says', async () => {
    await using world = vendor.world({ route: { fallbacks: [{ on: ['failed'], model: 'third' }] } })
    await world.first.behave({ trouble: { kind: 'status', status: 500 } })
    const error = await errorOf(world, { ...whole, mayUse: (model) => model === 'first' })
    assert.deepEqual([error?.reason, error?.headers['x-ai-provider']], ['upstream_error', 'p-first'])
    assert.deepEqual([await world.second.seen(), await world.third.seen()], [[], []])
  })

  it('keeps its fallback when it is the probe that fails', async () => {
    await using world = vendor.world({ gateway: { breaker: { ...gateway.breaker, openS: 0.2 } } })
    await world.first.behave({ trouble: { kind: 'status', status: 500 } })
    for (let each = 0; each < 6; each++) await world.relay.start(callOf(whole))
    const { breaker } = world.table.target('p-first/up-first')
    await until(() => breaker.state === 'half_open')
    const { about } = await world.relay.start(callOf(whole))
    assert.deepEqual([about.model, about.attempts, breaker.state], ['second', 2, 'open'])
  })

  it('ends with all that was tried when nobody answers, and with the budget of retries when that is empty', async () => {
    await using world = vendor.world({
      gateway: { retry: { ...gateway.retry, maxAttempts: 2, budgetMinPerS: 0, budgetRatio: 0.5 } },
    })
    for (const lane of [world.first, world.second]) await lane.behave({ trouble: { kind: 'status', status: 500 } })
    const [first, second] = [await errorOf(world), await errorOf(world)]
    assert.deepEqual([first?.details?.['retry_budget'], second?.details?.['retry_budget']], ['exhausted', undefined])
    assert.deepEqual(
      (second?.details?.['attempts'] as { target: string }[]).map(({ target }) => target),
      ['t1', 't2'],
    )
  })

  it('is told when to come again where no target takes it', async () => {
    await using world = vendor.world({ gateway: { breaker: { ...gateway.breaker, panic: 'fail' } } })
    for (const name of ['first', 'second']) {
      world.table.target(`p-${name}/up-${name}`).breaker.force('tripped', Date.now() + 60_000, '')
    }
    const error = await errorOf(world)
    assert.deepEqual([error?.code, error?.reason], [5034, 'no_healthy_target'])
    assert.ok(Number(error?.headers['retry-after']) >= 59)
    assert.deepEqual([world.ledger.open, world.ledger.rows], [0, []])
  })

  it('goes to the fallback that is for it', async () => {
    const fallbacks = [{ on: ['context_length', 'failed'], model: 'third' }]
    await using world = vendor.world({ route: { fallbacks }, model: { contextWindow: 50 } })
    const long = 'word '.repeat(100)
    const body = { stream: false, messages: [{ role: 'user', parts: [{ type: 'text', text: long }] }] } as const
    const error = await errorOf(world, { body })
    assert.equal(error?.reason, 'context_length_exceeded', 'it is too long for the fallback as well')
    await using other = vendor.world({ route: { fallbacks } })
    for (const lane of [other.first, other.second]) await lane.behave({ trouble: { kind: 'status', status: 500 } })
    const { about } = await other.relay.start(callOf(whole))
    assert.deepEqual([about.model, about.attempts], ['third', 3])
  })
})

describe('A call under a quota', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  const refused: Refusal = {
    ...{
      quotaId: 'qta_1',
      quotaName: 'each day',
      metric: 'cost',
      limit: '5.00',
      remaining: '0.0001',
      resetsAt: undefined,
    },
    ...{ onExceed: { action: 'reject' }, room: {}, kind: 'budget' },
  }

  it('holds as much as it may cost with the dearest of its targets', async () => {
    await using world = vendor.world()
    await hear(await world.relay.start(callOf({ body: { maxOutputTokens: 30 } })))
    const [wish] = world.ledger.wishes
    const text = 'one two three four five six'
    assert.deepEqual(wish?.worst, {
      ...{ requests: 1, inputTokens: text.length + 16, outputTokens: 30 },
      costNano: BigInt((text.length + 16) * 1_000 + 30 * 2_000 + 2),
    })
    assert.deepEqual(
      wish.models.map(({ model }) => model),
      ['first', 'second'],
    )
  })

  it('is held for and charged by the pictures and thoughts that its model has a price for', async () => {
    const prices = { input: 1_000_000, output: 2_000_000, reasoning: 5_000_000, perImage: 1_000_000n }
    await using world = vendor.world({ model: { prices } })
    const source = { kind: 'url', url: 'https://example.test/a.png' } as const
    const picture = { type: 'image' as const, source }
    const parts = [{ type: 'text' as const, text: 'look' }, picture, picture]
    await hear(await world.relay.start(callOf({ body: { messages: [{ role: 'user', parts }] } })))
    const [[wish], [row]] = [world.ledger.wishes, world.ledger.rows]
    const { inputTokens = 0, outputTokens = 0, reasoningTokens = 0 } = row?.usage ?? {}
    assert.equal(wish?.worst.costNano, BigInt(wish?.worst.inputTokens ?? 0) * 1_000n + 2n + 2_000_000n + 500_001n)
    const output = (outputTokens - reasoningTokens) * 2_000 + reasoningTokens * 5_000
    assert.equal(row?.costNano, BigInt(inputTokens * 1_000 + output) + 2_000_000n)
    assert.equal(
      costOfUsage({ ...row.usage, outputTokens: 10, reasoningTokens: 4 }, prices) -
        costOfUsage({ ...row.usage, outputTokens: 6, reasoningTokens: 0 }, prices),
      20_000n,
    )
  })

  it('holds for what the dialect does not name, too', async () => {
    await using world = vendor.world()
    const extra = { prediction: { type: 'content', content: 'word '.repeat(1_000) } }
    await hear(await world.relay.start(callOf({ body: { extra } })))
    assert.ok((world.ledger.wishes[0]?.worst.inputTokens ?? 0) > 5_000)
  })

  it('is cut to what is left, once, and that is what the provider is told', async () => {
    const onExceed = { action: 'clamp', minOutputTokens: 8 } as const
    await using world = vendor.world({
      refuse: ({ worst }) =>
        worst.outputTokens > 10 ? { ...refused, onExceed, room: { costNano: 63_002n } } : undefined,
    })
    await hear(await world.relay.start(callOf()))
    const [request] = await world.first.seen()
    assert.equal((request?.body as Record<string, unknown>)['max_completion_tokens'], 10)
    assert.deepEqual(
      world.ledger.wishes.map(({ worst }) => worst.outputTokens),
      [100, 10],
    )
  })

  it('is held for as long as any of its targets may take', async () => {
    await using world = vendor.world({ timeouts: { totalMs: 3_600_000 } })
    await hear(await world.relay.start(callOf()))
    assert.deepEqual(
      world.ledger.wishes.map(({ ttlMs }) => ttlMs),
      [3_660_000],
    )
  })

  it('is refused with what is left of which quota, and nobody is asked', async () => {
    for (const [kind, code, reason] of [
      ['budget', 4296, 'budget_exceeded'],
      ['quota', 4296, 'quota_exceeded'],
      ['rate', 4290, 'rate_limited'],
      ['concurrency', 4298, 'concurrency_limited'],
      ['price_missing', 4296, 'price_missing'],
    ] as const) {
      await using world = vendor.world({ refuse: () => ({ ...refused, kind }) })
      const error = await errorOf(world)
      assert.deepEqual([error?.code, error?.reason, error?.details?.['quota']], [code, reason, 'qta_1'])
      assert.equal(
        error?.headers['x-should-retry'],
        kind === 'budget' || kind === 'price_missing' ? 'false' : undefined,
      )
      assert.deepEqual(await world.first.seen(), [])
    }
  })

  it('takes the model that is for an empty budget', async () => {
    const fallbacks = [{ on: ['budget_exceeded'], model: 'third' }]
    await using world = vendor.world({
      route: { fallbacks },
      refuse: ({ models }) => (models.some(({ model }) => model === 'first') ? refused : undefined),
    })
    const { about } = await world.relay.start(callOf(whole))
    assert.equal(about.model, 'third')
    const error = await errorOf(world, { ...whole, mayUse: (model) => model === 'first' })
    assert.equal(error?.reason, 'budget_exceeded', 'which its key may not use')
  })
})

type World = ReturnType<Awaited<ReturnType<typeof relayWorld>>['world']>

function errorOf({ relay }: World, more: Parameters<typeof callOf>[0] = whole): Promise<AppError | undefined> {
  return relay.start(callOf(more)).then(
    () => undefined,
    (error: AppError) => error,
  )
}
