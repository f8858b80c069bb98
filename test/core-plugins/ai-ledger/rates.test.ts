// @both-back-ends
import assert from 'node:assert/strict'
import { aiSpending } from '../../../core-plugins/ai-ledger/contract.ts'
import type { Api } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { platformToken } from '../../support/plain-identity.ts'
import { dataOf } from '../../support/platform.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { until } from '../../support/until.ts'
import {
  attemptOf,
  besides,
  bucketsOf,
  holdOf,
  startLedgerHost,
  untilSettled,
  wishOf,
  type LedgerHost,
} from './world.ts'

const path = '/admin/ai/quotas'

describe('quotas of rates', () => {
  let world: LedgerHost
  let admin: Api
  before(async () => {
    world = await startLedgerHost()
    admin = world.host.api.as(platformToken('*:*'))
  })
  after(() => world[Symbol.asyncDispose]())

  async function quota(tenantId: number, more: object): Promise<string> {
    const body = { name: 'rate', tenant_id: tenantId, metric: 'requests', ...more }
    return textOf(dataOf(await admin.post(path, body), 201)['id'])
  }
  const wish = (tenantId: number, userId = 1) => wishOf({ spender: { tenantId, userId } })
  const buckets = async (id: string, query = '') =>
    dataOf(await admin.get(`${path}/${id}/usage${query}`))['buckets'] as unknown as readonly Record<string, unknown>[]

  it('that slide let in so many of those at once, say when there is room, and never touch the database', async () => {
    const id = await quota(51, { limit: '10', window: { kind: 'sliding', seconds: 600 } })
    const answers = await Promise.all(Array.from({ length: 30 }, () => world.ledger.reserve(wish(51))))
    const holds = answers.flatMap((answer) => ('hold' in answer ? [answer.hold] : []))
    const [refused] = answers.flatMap((answer) => ('refused' in answer ? [answer.refused] : []))
    assert.deepEqual([holds.length, refused?.kind, refused?.quotaId], [10, 'rate', id])
    const wait = (refused?.resetsAt?.getTime() ?? 0) - Date.now()
    assert.ok(wait > 500_000 && wait <= 620_000, String(wait))
    assert.equal(holds.at(-1)?.remaining.requests?.limit, 10)
    await until(async () => (await buckets(id))[0]?.['denied_requests'] === 20)
    const [shown] = await buckets(id)
    assert.deepEqual([shown?.['used'], shown?.['remaining'], shown?.['resets_at']], ['10', '0', null])
    // Those that came to nothing give back what they took.
    for (const [at, hold] of holds.entries()) hold.end(at < 4 ? [attemptOf(1, 1)] : [])
    await until(async () => (await buckets(id))[0]?.['used'] === '4')
    assert.deepEqual((await bucketsOf(world.db)).length, 0)
    const spending = world.host.kernel.services.get(aiSpending)
    assert.equal((await spending.quotas(51)).find(({ quotaId }) => quotaId === id)?.ratio, 0.4)
  })

  it('count tokens by what was used, each user by itself, and are reset', async () => {
    const window = { kind: 'fixed', seconds: 1800 }
    const id = await quota(52, { metric: 'tokens', limit: '50', per: ['user'], window })
    for (const user of [1, 2]) (await holdOf(world.ledger, wish(52, user))).end([attemptOf(10, 5)])
    await until(async () => (await buckets(id)).every(({ used }) => used === '15'))
    assert.deepEqual(
      (await buckets(id)).map(({ bucket }) => bucket),
      ['user:1', 'user:2'],
    )
    const reset = { bucket: { user_id: 1 }, to: '45', reason: 'test' }
    const done = dataOf(await admin.post(`${path}/${id}/reset`, reset))
    assert.deepEqual([done['before'], done['after']], ['15', '45'])
    assert.ok('refused' in (await world.ledger.reserve(wish(52, 1))))
    assert.deepEqual((await buckets(id, '?bucket=user:1'))[0]?.['used'], '45')
  })

  it('give back what a budget beside them refuses', async () => {
    const id = await quota(53, { limit: '3', window: { kind: 'sliding', seconds: 60 } })
    await quota(53, { metric: 'tokens', limit: '20', window: { kind: 'total' } })
    const hold = await holdOf(world.ledger, wish(53))
    for (let n = 0; n < 5; n++) {
      const answer = await world.ledger.reserve(wish(53))
      assert.ok('refused' in answer && answer.refused.kind === 'quota')
    }
    assert.equal((await buckets(id))[0]?.['used'], '1')
    hold.end([attemptOf(10, 10)])
    await untilSettled(world.db)
  })

  it('slide for no money, and for an hour at the most', async () => {
    for (const [body, field] of [
      [{ metric: 'cost', window: { kind: 'sliding', seconds: 60 } }, 'window.kind'],
      [{ window: { kind: 'sliding', seconds: 3601 } }, 'window.seconds'],
      [{ window: { kind: 'sliding' } }, 'window.seconds'],
    ] as const) {
      const answer = await admin.post(path, { name: 'x', metric: 'requests', limit: '1', ...body })
      assert.equal(answer.status, 422)
      assert.equal((answer.body['errors'] as unknown as { field: string }[])[0]?.field, field)
    }
  })

  itOnRedis('are of all hosts together', async () => {
    await using other = await startLedgerHost(besides(world))
    await quota(54, { limit: '10', window: { kind: 'sliding', seconds: 600 } })
    // Known where a call takes of it.
    await until(async () => {
      const answer = await other.ledger.reserve(
        wishOf({ spender: { tenantId: 54 }, worst: { ...wish(54).worst, requests: 11 } }),
      )
      if ('refused' in answer) return true
      answer.hold.end([])
      return false
    })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? world : other).ledger.reserve(wish(54))),
    )
    assert.equal(answers.filter((answer) => 'hold' in answer).length, 10)
  })
})
