import assert from 'node:assert/strict'
import { aiQuotaWarned } from '../../../core-plugins/ai-ledger/contract.ts'
import { forgetWindows } from '../../../core-plugins/ai-ledger/quotas/forget-windows.ts'
import type { Api } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { textOf } from '../../support/attachments.ts'
import { until } from '../../support/until.ts'
import { attemptOf, holdOf, recorded, startLedgerHost, untilSettled, wishOf, type LedgerHost } from './world.ts'

const path = '/admin/ai/quotas'

describe('quotas as administrators set them', () => {
  let world: LedgerHost
  let admin: Api
  let owner: Api
  let stranger: Api

  before(async () => {
    world = await startLedgerHost()
    admin = world.host.api.as(platformToken('*:*'))
    owner = world.host.api.as(tenantToken(21, '*:*'))
    stranger = world.host.api.as(tenantToken(22, '*:*'))
  })
  after(() => world[Symbol.asyncDispose]())

  it('hold at once, are shown by bucket, and a reset leaves what is held', async () => {
    const made = dataOf(
      await admin.post(path, {
        ...{ name: 'each user 30 a day', tenant_id: 21, per: ['user'], metric: 'tokens', limit: '30' },
        ...{ window: { kind: 'calendar', unit: 'day', tz: 'Asia/Shanghai' }, warn_at: [0.5] },
      }),
      201,
    )
    const warned: unknown[] = []
    const { events } = runningKernel({ test: world.host }) as unknown as {
      events: { on(event: unknown, listener: (payload: unknown) => void): Disposable }
    }
    const listening = events.on(aiQuotaWarned, (payload) => void warned.push(payload))
    const id = textOf(made['id'])
    const wish = () => wishOf({ spender: { tenantId: 21, userId: 77 } })
    const hold = await holdOf(world.ledger, wish())
    const refused = await world.ledger.reserve(wish())
    assert.ok('refused' in refused && refused.refused.quotaId === id)
    hold.end([attemptOf(10, 6)])
    await untilSettled(world.db)
    await until(() => warned.length === 1)
    assert.deepEqual(warned, [{ tenantId: 21, quotaId: id, bucket: 'user:77', percent: 50 }])
    const again = await world.ledger.reserve(
      wishOf({ spender: { tenantId: 21, userId: 77 }, worst: { ...wish().worst, outputTokens: 1 } }),
    )
    assert.ok('hold' in again)
    await until(async () => denied((await usage(id))[0]) === 1)
    const [bucket] = await usage(id)
    const { key, used, held, remaining, blocked } = bucket ?? {}
    assert.deepEqual(
      { key, used, held, remaining, blocked },
      { key: { user_id: 77 }, used: '16', held: '11', remaining: '3', blocked: false },
    )
    // A list says how full the fullest bucket of each is, without a request for each.
    const { items } = dataOf(await admin.get(`${path}?tenant_id=21`)) as unknown as {
      items: readonly { id: string; ratio: number }[]
    }
    assert.deepEqual(
      items.filter((item) => item.id === id).map(({ ratio }) => ratio),
      [0.9],
    )
    const lister = world.host.api.as(platformToken('ai_quota:list'))
    assert.equal((await lister.get(`${path}/${id}/usage`)).status, 403)
    const listed = dataOf(await lister.get(`${path}?tenant_id=21`))['items'] as unknown as typeof items
    assert.ok(listed.length > 0 && listed.every((item) => !('ratio' in item)))
    const reset = dataOf(
      await admin.post(`${path}/${id}/reset`, { bucket: { user_id: 77 }, to: '0', reason: 'goodwill' }),
    )
    assert.deepEqual([reset['before'], reset['after']], ['16', '0'])
    const [after] = await usage(id)
    assert.deepEqual([after?.['used'], after?.['held']], ['0', '11'])
    dataOf(await admin.put(`${path}/${id}`, { limit: '31' }))
    assert.deepEqual(
      recorded.filter(({ target }) => target === `ai_quota:${id}`).map(({ action }) => action),
      ['ai_quota.created', 'ai_quota.reset', 'ai_quota.updated'],
    )
    again.hold.end([])
    listening[Symbol.dispose]()
  })

  it('of the platform are seen by the tenant and not changed by it', async () => {
    const made = dataOf(await admin.post(path, { name: 'cap', tenant_id: 21, metric: 'cost', limit: '5.00' }), 201)
    const id = textOf(made['id'])
    assert.equal(dataOf(await owner.get(`${path}/${id}`))['is_platforms'], true as never)
    const refusals = [
      await owner.put(`${path}/${id}`, { limit: '500' }),
      await owner.post(`${path}/${id}/reset`, { reason: 'please' }),
    ]
    for (const refusal of refusals) {
      assert.deepEqual(refusalOf(refusal), { status: 403, code: 4031, reason: 'quota_is_platforms' })
    }
    for (const foreign of [await stranger.get(`${path}/${id}`), await stranger.get(`${path}/${id}/usage`)]) {
      assert.deepEqual(refusalOf(foreign), { status: 404, code: 4040, reason: 'quota_not_found' })
    }
    const own = dataOf(await owner.post(path, { name: 'ours', metric: 'requests', limit: '10' }), 201)
    assert.equal(dataOf(await owner.put(`${path}/${textOf(own['id'])}`, { limit: '11' }))['limit'], '11')
    assert.equal((await owner.post(path, { name: 'x', tenant_id: 22, metric: 'requests', limit: '1' })).status, 422)
  })

  it('are refused where they make no sense, field by field', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ metric: 'tokens', limit: '1.5' }, 'limit'],
      [{ metric: 'cost', limit: '1', window: { kind: 'calendar' } }, 'window.unit'],
      [{ metric: 'concurrency', limit: '1', window: { kind: 'fixed', seconds: 60 } }, 'window.kind'],
      [{ metric: 'cost', limit: '1', on_exceed: { action: 'fallback' } }, 'on_exceed.fallback_model'],
      [{ metric: 'tool_calls', limit: '1', scope: { model_id: 'mdl_a' } }, 'scope.model_id'],
      [{ metric: 'tool_cpu_ms', limit: '1', per: ['provider'] }, 'per'],
    ]
    for (const [body, field] of wrong) {
      const answer = await admin.post(path, { name: 'x', ...body })
      assert.equal(answer.status, 422)
      assert.equal((answer.body['errors'] as unknown as { field: string }[])[0]?.field, field)
    }
  })

  it('are sorted by their status', async () => {
    const by = world.host.api.as(tenantToken(29, '*:*'))
    const add = async (): Promise<string> =>
      textOf(dataOf(await by.post(path, { name: 'sorted', metric: 'requests', limit: '10' }), 201)['id'])
    const [suspended, held] = [await add(), await add()]
    dataOf(await by.put(`${path}/${suspended}`, { status: 'disabled' }))
    const sorted = async (sort: string): Promise<unknown> =>
      (dataOf(await by.get(`${path}?sort=${sort}`))['items'] as unknown as { id: string }[]).map(({ id }) => id)
    assert.deepEqual(
      [await sorted('status'), await sorted('-status')],
      [
        [held, suspended],
        [suspended, held],
      ],
    )
  })

  it('that are suspended hold nothing', async () => {
    const made = dataOf(await admin.post(path, { name: 'none', tenant_id: 23, metric: 'requests', limit: '0' }), 201)
    const wish = () => wishOf({ spender: { tenantId: 23 } })
    assert.ok('refused' in (await world.ledger.reserve(wish())))
    const stale = await admin.put(
      `${path}/${textOf(made['id'])}`,
      { status: 'disabled' },
      { headers: { 'if-match': '"7"' } },
    )
    assert.equal(stale.status, 412)
    dataOf(await admin.put(`${path}/${textOf(made['id'])}`, { status: 'disabled' }))
    const answer = await world.ledger.reserve(wish())
    assert.ok('hold' in answer)
    answer.hold.end([])
  })

  it('forget windows that are over and shown nowhere, whatever is held of them stays', async () => {
    const window = { kind: 'calendar', unit: 'hour' }
    const made = dataOf(
      await admin.post(path, { name: 'by hour', tenant_id: 24, metric: 'cost', limit: '1', window }),
      201,
    )
    const id = textOf(made['id'])
    const hourMs = 3_600_000
    const now = Date.now()
    const bucketOf = (hours: number, held = 0) => ({
      ...{ tenant_id: 24, quota_id: id, bucket: '', used: 1, held },
      window_start: new Date(Math.floor(now / hourMs - hours) * hourMs),
    })
    const rows = [bucketOf(0), bucketOf(399), bucketOf(402), bucketOf(403, 5), bucketOf(9_000)]
    await world.db('ai_quota_buckets').queryContext({ tenant: 'all' }).insert(rows)
    assert.equal(await forgetWindows(world.db, new Date(now - 100 * 86_400_000), now), 2)
    const { history } = dataOf(await admin.get(`${path}/${id}/usage?history=400`)) as unknown as { history: unknown[] }
    assert.equal(history.length, 2)
  })

  async function usage(id: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { buckets } = dataOf(await admin.get(`${path}/${id}/usage?history=3`))
    return buckets as unknown as readonly Readonly<Record<string, unknown>>[]
  }
  const denied = (bucket: Readonly<Record<string, unknown>> | undefined): unknown => bucket?.['denied_requests']
})
