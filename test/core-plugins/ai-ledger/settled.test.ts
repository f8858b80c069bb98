import assert from 'node:assert/strict'
import { HoldStore } from '../../../core-plugins/ai-ledger/holds/hold-store.ts'
import { LeaseStore } from '../../../core-plugins/ai-ledger/holds/lease-store.ts'
import type { OpenHold } from '../../../core-plugins/ai-ledger/holds/open-hold.ts'
import { sweepHolds } from '../../../core-plugins/ai-ledger/holds/sweeper.ts'
import { until } from '../../support/until.ts'
import { attemptOf, bucketsOf, holdOf, setQuotas, startLedgerHost, sumsOf, wishOf, type LedgerHost } from './world.ts'

describe('what a call used', () => {
  let world: LedgerHost
  before(async () => {
    world = await startLedgerHost()
    await setQuotas([world], [{ id: 'qta_once', amount: 1_000 }])
  })
  after(() => world[Symbol.asyncDispose]())

  it('is counted once, though another host took its own for dead', async () => {
    const hold = (await holdOf(world.ledger)) as OpenHold
    const used = [{ quota: 'qta_once', bucket: '', used: 14n, owner: 7, starts: new Date(0) }]
    const { wish, at } = hold
    await new HoldStore(world.db, 'another').settle([{ wish, at, attempts: [attemptOf(10, 4)], used }])
    const later = await holdOf(world.ledger)
    hold.end([attemptOf(10, 9, { attempt: 2 })])
    later.end([attemptOf(10, 6)])
    await until(async () => (await sumsOf(world.db)).rows >= 2)
    assert.deepEqual(await sumsOf(world.db), { rows: 2, tokens: 30, cost: 30 })
    const [bucket] = await bucketsOf(world.db)
    assert.deepEqual([bucket?.used, bucket?.held], [30, 0])
  })

  it('is settled for hosts that were not heard of by one that could have heard them', async () => {
    const store = new HoldStore(world.db, 'gone')
    const wish = wishOf({ spender: { tenantId: 8 } })
    await store.reserve(wish, new Date(), [])
    const sweep = (steadyMs: number) =>
      sweepHolds({
        ...{ db: world.db, store, leases: new LeaseStore(world.db, 'gone'), settled: () => undefined },
        journal: { steadyMs },
      })
    const left = async () =>
      (await world.db('ai_holds').queryContext({ tenant: 8 }).select<readonly unknown[]>('request_id')).length
    assert.deepEqual([await sweep(19_999), await left(), await sweep(20_000), await left()], [0, 1, 1, 0])
  })
})
