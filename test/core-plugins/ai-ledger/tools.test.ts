// @both-back-ends
import assert from 'node:assert/strict'
import type { ToolHold, ToolWish } from '../../../core-plugins/ai-ledger/contract.ts'
import type { Api } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { attemptOf, holdOf, startLedgerHost, untilSettled, wishOf, type LedgerHost } from './world.ts'

type Plain = Readonly<Record<string, unknown>>

describe('calls of tools in the ledger', () => {
  let world: LedgerHost
  let admin: Api
  before(async () => {
    world = await startLedgerHost()
    admin = world.host.api.as(platformToken('*:*'))
  })
  after(() => world[Symbol.asyncDispose]())

  const wish = (tenantId: number, more: Partial<ToolWish> = {}): ToolWish => ({
    ...{ spender: { tenantId, userId: 1 }, tool: 'get_weather', provider: 'acme.weather', ttlMs: 60_000, ...more },
  })
  async function quota(tenantId: number, metric: string, limit: string, more: object = {}): Promise<string> {
    const made = await admin.post('/admin/ai/quotas', { name: metric, tenant_id: tenantId, metric, limit, ...more })
    return textOf(dataOf(made, 201)['id'])
  }
  async function heldOf(tenantId: number): Promise<ToolHold> {
    const answer = await world.ledger.tool(wish(tenantId))
    if ('refused' in answer) throw new Error(`refused by ${answer.refused.quotaName}`)
    return answer.hold
  }
  const used = async (id: string): Promise<unknown> => {
    const { buckets } = dataOf(await admin.get(`/admin/ai/quotas/${id}/usage`)) as unknown as { buckets: Plain[] }
    return buckets[0]?.['used']
  }

  it('are let in as often as a quota says, at once or one by one, and give back what was not made', async () => {
    const id = await quota(61, 'tool_calls', '5')
    // Models are called beside, however many there are at once.
    await quota(61, 'concurrency', '1')
    const model = await holdOf(world.ledger, wishOf({ spender: { tenantId: 61, userId: 1 } }))
    const answers = await Promise.all(Array.from({ length: 12 }, () => world.ledger.tool(wish(61))))
    const holds = answers.flatMap((answer) => ('hold' in answer ? [answer.hold] : []))
    const [refused] = answers.flatMap((answer) => ('refused' in answer ? [answer.refused] : []))
    assert.deepEqual([holds.length, refused?.quotaId, refused?.kind], [5, id, 'quota'])
    for (const [at, hold] of holds.entries()) {
      if (at === 0) hold.drop()
      else hold.end({ outcome: at === 1 ? 'upstream_error' : 'ok', cpuMs: 7 })
    }
    model.end([attemptOf(3, 4)])
    await untilSettled(world.db)
    assert.equal(await used(id), '4')
    ;(await heldOf(61)).end({ outcome: 'ok', cpuMs: 0 })
    await untilSettled(world.db)
    assert.ok('refused' in (await world.ledger.tool(wish(61))))
  })

  it('have rows of their own, which are no requests and cost nothing', async () => {
    const owner = world.host.api.as(tenantToken(61, '*:*'))
    const { items, totals } = dataOf(await owner.get('/admin/ai/usage?purpose=tool')) as unknown as {
      readonly items: readonly Plain[]
      readonly totals: Plain
    }
    assert.equal(items.length, 5)
    const failed = items.find(({ outcome }) => outcome === 'upstream_error')
    const { model, provider_id: provider, requests, tool_calls: calls, tool_cpu_ms: cpu, cost } = failed ?? {}
    assert.deepEqual([model, provider, requests, calls, cpu, cost], ['get_weather', 'acme.weather', 0, 1, 7, '0.00'])
    assert.equal(totals['requests'], 0)
    const metrics = 'requests,errors,tool_calls,tool_cpu_ms,sandbox_ms'
    const { buckets } = dataOf(await owner.get(`/admin/ai/usage/trends?bucket=1mo&metrics=${metrics}`)) as unknown as {
      readonly buckets: readonly { readonly results: readonly Plain[] }[]
    }
    const sums: Record<string, number> = {}
    for (const [name, value] of buckets.flatMap(({ results }) => results).flatMap((row) => Object.entries(row))) {
      if (name !== 'group') sums[name] = (sums[name] ?? 0) + Number(value)
    }
    assert.deepEqual(sums, { requests: 1, errors: 0, tool_calls: 5, tool_cpu_ms: 28, sandbox_ms: 28 })
    const headers = { authorization: `Bearer ${tenantToken(61, '*:*')}` }
    const file = await fetch(`${world.host.url}/admin/ai/usage/export?format=jsonl`, { headers })
    const lines = (await file.text()).trimEnd().split('\n')
    assert.deepEqual([file.headers.get('x-export-rows'), lines.at(-1)], ['6', '{"x-export-rows":6}'])
  })

  it('count for as much as their plugin says, and are no requests where that is nothing', async () => {
    const id = await quota(64, 'tool_calls', '5')
    const call = async (units: number): Promise<boolean> => {
      const answer = await world.ledger.tool(wish(64, { units }))
      if ('hold' in answer) answer.hold.end({ outcome: 'ok', cpuMs: 2 })
      await untilSettled(world.db)
      return 'hold' in answer
    }
    assert.deepEqual(
      [await call(3), await call(3), await call(0), await call(2), await call(0)],
      [true, false, true, true, true],
    )
    assert.equal(await used(id), '5')
    const owner = world.host.api.as(tenantToken(64, '*:*'))
    const read = async () =>
      dataOf(await owner.get('/admin/ai/usage?purpose=tool')) as unknown as {
        readonly items: readonly Plain[]
        readonly totals: Plain
      }
    // What takes nothing of a quota has no lease whose end could be waited for.
    await until(async () => (await read()).items.length === 4)
    const { items, totals } = await read()
    assert.deepEqual(
      items.map(({ requests, tool_calls: calls }) => [requests, calls]),
      [0, 2, 0, 3].map((units) => [0, units]),
    )
    assert.equal(totals['requests'], 0)
  })

  it('are let in while anything is left of the CPU time, over windows that are kept and such that are not', async () => {
    for (const [tenantId, window] of [
      [62, { kind: 'total' }],
      [63, { kind: 'sliding', seconds: 1800 }],
    ] as const) {
      const id = await quota(tenantId, 'tool_cpu_ms', '10', { window })
      for (const cpuMs of [4, 4, 30]) {
        const hold = await heldOf(tenantId)
        hold.end({ outcome: 'ok', cpuMs })
        await untilSettled(world.db)
      }
      await until(async () => (await used(id)) === '38')
      assert.ok('refused' in (await world.ledger.tool(wish(tenantId))))
    }
  })
})
