// @both-back-ends
import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import {
  attemptOf,
  besides,
  bucketsOf,
  holdOf,
  setQuotas,
  startLedgerHost,
  sumsOf,
  untilSettled,
  wishOf,
  type LedgerHost,
} from './world.ts'

describe('holds of quotas', () => {
  let first: LedgerHost
  let second: LedgerHost

  before(async () => {
    first = await startLedgerHost()
    second = await startLedgerHost(besides(first))
    await setQuotas(
      [first, second],
      [
        { id: 'qta_exact', tenant_id: 7, amount: 37 * 20 },
        { id: 'qta_small', tenant_id: 8, amount: 100, metric: 'cost' },
        { id: 'qta_large', tenant_id: 8, amount: 1_000_000 },
        { id: 'qta_users', tenant_id: 9, amount: 50, per: ['user'] },
        { id: 'qta_slots', tenant_id: 10, amount: 2, metric: 'concurrency' },
        { id: 'qta_storm_a', tenant_id: 11, amount: 2_000 },
        { id: 'qta_storm_b', tenant_id: 11, amount: 1_500, metric: 'cost', per: ['user'] },
        { id: 'qta_storm_c', tenant_id: 11, amount: 40, metric: 'requests', model_id: 'mdl_a' },
        { id: 'qta_guess', tenant_id: 15, amount: 30, estimate: 'estimate' },
        { id: 'qta_soft', tenant_id: 12, amount: 5, mode: 'soft' },
        { id: 'qta_lost', tenant_id: 16, amount: 1_000 },
        { id: 'qta_gone', tenant_id: 16, amount: 1_000 },
        { id: 'qta_each', tenant_id: 0, amount: 20, per: ['user'], model_id: 'mdl_each' },
        { id: 'qta_one', tenant_id: 19, amount: 20, user_id: 2 },
      ],
    )
  })
  after(async () => {
    await second[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
  })

  const usageOf = async (tenantId: number): Promise<readonly object[]> =>
    first.db('ai_usage').queryContext({ tenant: 'all' }).where({ tenant_id: tenantId })

  it('let in exactly as many of 200 calls over two hosts as fit, and hold nothing at the end', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => (n % 2 ? first : second).ledger.reserve(wishOf())),
    )
    const holds = answers.flatMap((answer) => ('hold' in answer ? [answer.hold] : []))
    assert.equal(holds.length, 37)
    const [bucket] = await bucketsOf(first.db)
    assert.deepEqual({ used: bucket?.used, held: bucket?.held }, { used: 0, held: 740 })
    for (const [n, hold] of holds.entries()) hold.end(n % 3 === 0 ? [] : [attemptOf(10, n % 10)])
    await untilSettled(first.db)
    const [settled] = await bucketsOf(first.db)
    const { tokens } = await sumsOf(first.db)
    assert.deepEqual({ used: settled?.used, held: settled?.held }, { used: tokens, held: 0 })
  })

  it('take of all quotas or of none, and name the one that a call does not fit in', async () => {
    const spender = { tenantId: 8 }
    const worst = { requests: 1, inputTokens: 10, outputTokens: 10, costNano: 101n }
    const answer = await first.ledger.reserve(wishOf({ spender, worst }))
    assert.ok('refused' in answer)
    const { quotaId, kind, limit, remaining, room } = answer.refused
    assert.deepEqual(
      { quotaId, kind, limit, remaining, room },
      {
        ...{ quotaId: 'qta_small', kind: 'budget', limit: '0.0000001', remaining: '0.0000001' },
        room: { costNano: 100n },
      },
    )
    assert.deepEqual(
      (await bucketsOf(first.db)).filter(({ quota_id: id }) => id === 'qta_large'),
      [],
    )
  })

  it('that the database lost when it died are counted by what they used, and only where their quota still is', async () => {
    const lost = await holdOf(first.ledger, wishOf({ spender: { tenantId: 16 } }))
    for (const table of ['ai_holds', 'ai_quota_holds', 'ai_quota_buckets'])
      await first.db(table).queryContext({ tenant: 'all' }).where({ tenant_id: 16 }).delete()
    await first.db('ai_quotas').queryContext({ tenant: 'all' }).where({ id: 'qta_gone' }).delete()
    lost.end([attemptOf(4, 3)])
    await until(async () => (await usageOf(16)).length === 1)
    const buckets = (await bucketsOf(first.db)).filter(({ quota_id: id }) => ['qta_lost', 'qta_gone'].includes(id))
    assert.deepEqual(
      buckets.map(({ quota_id: id, used, held }) => ({ id, used, held })),
      [{ id: 'qta_lost', used: 7, held: 0 }],
    )
  })

  it('end once, however often and by whomever they are ended', async () => {
    const spender = { tenantId: 8 }
    const before = await sumsOf(first.db)
    const hold = await holdOf(first.ledger, wishOf({ spender }))
    const attempt = attemptOf(3, 4)
    hold.end([attempt])
    hold.end([attemptOf(100, 100)])
    await untilSettled(first.db)
    const after = await sumsOf(first.db)
    assert.deepEqual([after.rows - before.rows, after.tokens - before.tokens], [1, 7])
    const [large] = (await bucketsOf(first.db)).filter(({ quota_id: id }) => id === 'qta_large')
    assert.deepEqual({ used: large?.used, held: large?.held }, { used: 7, held: 0 })
  })

  it('count each user of a quota by itself', async () => {
    const of = (userId: number) => wishOf({ spender: { tenantId: 9, userId } })
    const holds = [
      await holdOf(first.ledger, of(1)),
      await holdOf(first.ledger, of(1)),
      await holdOf(first.ledger, of(2)),
    ]
    assert.ok('refused' in (await first.ledger.reserve(of(1))))
    for (const hold of holds) hold.end([attemptOf(1, 1)])
    await untilSettled(first.db)
    const users = (await bucketsOf(first.db)).filter(({ quota_id: id }) => id === 'qta_users')
    assert.deepEqual(
      users.map(({ bucket, used, held }) => [bucket, used, held]),
      [
        ['user:1', 4, 0],
        ['user:2', 2, 0],
      ],
    )
  })

  it('of a quota of the platform count users of different tenants apart, and of one user that one alone', async () => {
    const models = [{ modelId: 'mdl_each', providerId: 'prv_a', priced: true }]
    const of = (tenantId: number, userId: number) => wishOf({ spender: { tenantId, userId }, models })
    const holds = [await holdOf(first.ledger, of(17, 1)), await holdOf(first.ledger, of(18, 1))]
    assert.ok('refused' in (await first.ledger.reserve(of(17, 1))))
    holds.push(await holdOf(first.ledger, of(19, 2)), await holdOf(first.ledger, of(19, 3)))
    const held = (await bucketsOf(first.db)).filter(({ quota_id: id }) => ['qta_each', 'qta_one'].includes(id))
    assert.deepEqual(
      held.map(({ quota_id: id, bucket, held: amount }) => [id, bucket, amount]),
      [
        ...['user:17.1', 'user:18.1', 'user:19.2', 'user:19.3'].map((bucket) => ['qta_each', bucket, 20]),
        ['qta_one', '', 20],
      ],
    )
    for (const hold of holds) hold.end([])
    await untilSettled(first.db)
  })

  it('of concurrency last as long as their calls', async () => {
    const wish = () => wishOf({ spender: { tenantId: 10 } })
    const holds = [await holdOf(first.ledger, wish()), await holdOf(second.ledger, wish())]
    const refused = await first.ledger.reserve(wish())
    assert.ok('refused' in refused && refused.refused.kind === 'concurrency')
    holds[0]?.end([attemptOf(1, 1)])
    await holdOnce(wish())
    holds[1]?.end([])
    await untilSettled(first.db)
  })

  it('are never taken beyond a limit in a storm over two hosts, and what is used is what the ledger has', async () => {
    let over = 0
    const before = await sumsOf(first.db)
    const one = async (n: number): Promise<void> => {
      const { ledger } = n % 2 ? first : second
      const models = n % 3 ? wishOf().models : [{ modelId: 'mdl_b', providerId: 'prv_a', priced: true }]
      const wish = wishOf({ spender: { tenantId: 11, userId: n % 4 }, models })
      const answer = await ledger.reserve(wish)
      if ('refused' in answer) return
      const [bucket] = (await bucketsOf(first.db)).filter(({ quota_id: id }) => id === 'qta_storm_a')
      if ((bucket?.used ?? 0) + (bucket?.held ?? 0) > 2_000) over += 1
      const at = { modelId: models[0]?.modelId ?? '' }
      if (n % 7 === 0) answer.hold.end([])
      else answer.hold.end([attemptOf(10, n % 11, at)])
      if (n % 5 === 0) answer.hold.end([attemptOf(10, 10, at)])
    }
    for (let wave = 0; wave < 4; wave++) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => one(wave * 100 + n)))
    }
    await untilSettled(first.db)
    const { tokens } = await sumsOf(first.db)
    const buckets = (await bucketsOf(first.db)).filter(({ quota_id: id }) => id.startsWith('qta_storm'))
    assert.equal(over, 0)
    assert.deepEqual(
      buckets.filter(({ held }) => held > 0),
      [],
    )
    const used = (id: string): number =>
      buckets.filter(({ quota_id: quota }) => quota === id).reduce((sum, bucket) => sum + bucket.used, 0)
    assert.equal(used('qta_storm_a'), tokens - before.tokens)
    assert.equal(used('qta_storm_b'), tokens - before.tokens)
    assert.ok(used('qta_storm_a') <= 2_000 && used('qta_storm_c') <= 40)
    assert.ok(buckets.every(({ quota_id: id, used: sum }) => id !== 'qta_storm_b' || sum <= 1_500))
  })

  it('of a soft quota count what they do not refuse', async () => {
    const hold = await holdOf(first.ledger, wishOf({ spender: { tenantId: 12 } }))
    hold.end([attemptOf(10, 10)])
    await untilSettled(first.db)
    const [soft] = (await bucketsOf(first.db)).filter(({ quota_id: id }) => id === 'qta_soft')
    assert.deepEqual({ used: soft?.used, held: soft?.held }, { used: 20, held: 0 })
  })

  it('of a quota that is satisfied with it are for what is likely, and what was used counts', async () => {
    const wish = () => wishOf({ spender: { tenantId: 15 }, estimated: { inputTokens: 3, costNano: 13n } })
    const holds = [await holdOf(first.ledger, wish()), await holdOf(second.ledger, wish())]
    assert.ok('refused' in (await first.ledger.reserve(wish())))
    for (const hold of holds) hold.end([attemptOf(5, 2)])
    await untilSettled(first.db)
    const [guess] = (await bucketsOf(first.db)).filter(({ quota_id: id }) => id === 'qta_guess')
    assert.deepEqual({ used: guess?.used, held: guess?.held }, { used: 14, held: 0 })
  })

  it('are not taken for a model without a price under a quota of cost', async () => {
    const models = [{ modelId: 'mdl_free', providerId: 'prv_a', priced: false }]
    const answer = await first.ledger.reserve(wishOf({ spender: { tenantId: 8 }, models }))
    assert.ok('refused' in answer && answer.refused.kind === 'price_missing')
  })

  it('that no quota is for are written down, although one before cannot be', async () => {
    const spender = { tenantId: 13 }
    const bad = await holdOf(first.ledger, wishOf({ spender: { ...spender, conversationId: 'no \u0000 text' } }))
    const good = await holdOf(first.ledger, wishOf({ spender }))
    const written = async () =>
      (await first.db('ai_holds').queryContext({ tenant: 13 }).pluck<string[]>('request_id')).join()
    await until(async () => (await written()) === good.requestId)
    good.end([])
    bad.end([])
    await untilSettled(first.db)
  })

  async function holdOnce(wish: ReturnType<typeof wishOf>): Promise<void> {
    for (;;) {
      const answer = await first.ledger.reserve({ ...wish, requestId: crypto.randomUUID() })
      if ('hold' in answer) return answer.hold.end([])
    }
  }
})
