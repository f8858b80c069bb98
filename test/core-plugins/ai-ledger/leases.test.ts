// @both-back-ends
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { Hold } from '../../../core-plugins/ai-ledger/contract.ts'
import type { Claim } from '../../../core-plugins/ai-ledger/holds/claims.ts'
import { Leases } from '../../../core-plugins/ai-ledger/holds/leases.ts'
import { until } from '../../support/until.ts'
import { peakOf, watchPeaks } from './storm-world.ts'
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

const each = 20

describe('leases of busy quotas', () => {
  let first: LedgerHost
  let second: LedgerHost
  before(async () => {
    first = await startLedgerHost()
    second = await startLedgerHost(besides(first))
    await setQuotas(
      [first, second],
      [
        { id: 'qta_busy', tenant_id: 31, amount: 1_000_000 },
        { id: 'qta_end', tenant_id: 32, amount: 500 * each },
        { id: 'qta_soon', tenant_id: 33, amount: 1_000_000 },
      ],
    )
    await watchPeaks(first.db)
  })
  after(async () => {
    await second[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
  })

  const leasesOf = async (quotaId: string): Promise<readonly { host_id: string }[]> =>
    first.db('ai_quota_leases').queryContext({ tenant: 'all' }).where({ quota_id: quotaId })
  const wish = (tenantId: number) => wishOf({ spender: { tenantId } })
  /** Calls one after another at both hosts until each has a lease; those that take none end as all others. */
  async function untilLeased(tenantId: number, quotaId: string): Promise<void> {
    await until(async () => {
      const holds = await Promise.all(
        Array.from({ length: 40 }, (_, at) => holdOf((at % 2 ? first : second).ledger, wish(tenantId))),
      )
      for (const hold of holds) hold.end([attemptOf(10, 10)])
      return new Set((await leasesOf(quotaId)).map(({ host_id: host }) => host)).size === 2
    }, 30_000)
  }
  const used = async (quotaId: string) => (await bucketsOf(first.db)).find(({ quota_id: id }) => id === quotaId)

  it('write the row of the bucket far less often than calls come, and all that was used is counted', async () => {
    await untilLeased(31, 'qta_busy')
    const { writes: before } = await peakOf(first.db, 'qta_busy')
    let calls = 0
    for (let wave = 0; wave < 30; wave++) {
      const holds = await Promise.all(
        Array.from({ length: 20 }, (_, at) => holdOf((at % 2 ? first : second).ledger, wish(31))),
      )
      for (const hold of holds) hold.end([attemptOf(10, 10)])
      calls += holds.length
    }
    const { writes } = await peakOf(first.db, 'qta_busy')
    assert.ok(writes - before < calls / 2, `${writes - before} writes of ${calls} calls`)
    await untilSettled(first.db)
    const { tokens } = await sumsOf(first.db)
    const bucket = await used('qta_busy')
    assert.deepEqual([bucket?.used, bucket?.held], [tokens, 0])
  })

  it('are ended by whoever needs the room: exactly as many calls are let in as fit, and never more', async () => {
    const before = await sumsOf(first.db)
    const holds: Hold[] = []
    for (let at = 0; (await leasesOf('qta_end')).length === 0; at++) {
      assert.ok(at < 15, 'no lease is taken')
      holds.push(...(await Promise.all(Array.from({ length: 20 }, () => holdOf(first.ledger, wish(32))))))
    }
    const answers = await Promise.all(Array.from({ length: 550 }, () => second.ledger.reserve(wish(32))))
    holds.push(...answers.flatMap((answer) => ('hold' in answer ? [answer.hold] : [])))
    assert.equal(holds.length, 500)
    for (const hold of holds) hold.end([attemptOf(10, 10)])
    await untilSettled(first.db)
    const after = await sumsOf(first.db)
    assert.equal(after.rows - before.rows, 500)
    const bucket = await used('qta_end')
    assert.deepEqual([bucket?.used, bucket?.held], [500 * each, 0])
    assert.ok((await peakOf(first.db, 'qta_end')).peak <= 500 * each)
  })

  it('go back when nobody calls any more, and leave calls under way covered', async () => {
    await untilLeased(33, 'qta_soon')
    const hold = await holdOf(first.ledger, wish(33))
    await until(async () => (await leasesOf('qta_soon')).length === 0, 60_000)
    const held = async () => (await used('qta_soon'))?.held
    await until(async () => (await held()) === each, 20_000)
    hold.end([attemptOf(10, 10)])
    await untilSettled(first.db)
    assert.equal(await held(), 0)
  })
})

describe('a lease of a busy quota', () => {
  it('lets a call in only where all of it is left', async () => {
    const store = {
      take: () => Promise.resolve({ id: 'lease', free: 30n, used: 0n, held: 30n }),
      renew: () => Promise.withResolvers<undefined>().promise,
      close: () => Promise.resolve([]),
      closeOf: () => Promise.resolve([]),
    }
    const log = { debug: () => undefined } as unknown as ConstructorParameters<typeof Leases>[0]['log']
    const leases = new Leases({ store, log, settled: () => undefined })
    const quota = { id: 'qta_unit', metric: 'tokens', mode: 'hard', limit: 1_000n } as Claim['quota']
    const spend = (amount: bigint) => {
      const claim: Claim = { quota, bucket: '', windowStart: new Date(0), resetsAt: undefined, amount }
      return leases.spend([claim])[0]?.leaseId
    }
    // In any second of two there are enough for it to be busy.
    for (let call = 0; call < 40; call++) assert.equal(spend(20n), undefined)
    await turn()
    assert.deepEqual([spend(20n), spend(20n), spend(10n)], ['lease', undefined, 'lease'])
  })
})
