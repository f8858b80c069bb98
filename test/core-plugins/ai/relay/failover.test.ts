import assert from 'node:assert/strict'
import type { AuditEntry, Writer } from '../../../../core-plugins/access/contract.ts'
import { Failover } from '../../../../core-plugins/ai/failover/service.ts'
import { callOf, relayWorld } from './world.ts'

const writer = {
  principal: { scope: 'platform', tenantId: 0, userId: 1 },
  state: { traceId: 't' },
} as unknown as Writer
const whole = { body: { stream: false } } as const

describe('Targets that a person takes out of use', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  function failoverOf({ catalogue, table }: ReturnType<typeof vendor.world>) {
    const audited: AuditEntry[] = []
    const record = (entry: AuditEntry) => Promise.resolve(void audited.push(entry))
    const failover = new Failover({
      catalogue,
      table,
      audit: { record, deleteBefore: () => Promise.resolve(0), nameTargets: () => new DisposableStack() },
    })
    return { failover, audited }
  }

  it('get no request until their time is over or somebody brings them back', async () => {
    await using world = vendor.world()
    const { failover, audited } = failoverOf(world)
    const tripped = await failover.act(
      { action: 'trip', target: { provider_id: 'p-first' }, reason: 'incident' },
      writer,
    )
    assert.deepEqual(
      [tripped.affected, tripped.state, tripped.remaining_capacity],
      [['t1'], { t1: 'open' }, { route: 'default', healthy_targets: 1 }],
    )
    assert.equal((await world.relay.start(callOf(whole))).about.model, 'second')
    const back = await failover.act({ action: 'reset', target: { target: 't1' } }, writer)
    assert.deepEqual([back.state, back.until], [{ t1: 'open' }, null], 'the provider is still tripped')
    await failover.act({ action: 'reset', target: { provider_id: 'p-first' } }, writer)
    assert.equal((await world.relay.start(callOf(whole))).about.model, 'first')
    await failover.act({ action: 'drain', target: { target: 't1' } }, writer)
    await failover.act({ action: 'probe', target: { target: 't1' } }, writer)
    assert.equal((await world.relay.start(callOf(whole))).about.model, 'first')
    assert.deepEqual(
      audited.map(({ action }) => action),
      ['ai_gateway.trip', 'ai_gateway.reset', 'ai_gateway.reset', 'ai_gateway.drain', 'ai_gateway.probe'],
    )
  })

  it('are never the last, unless it is forced', async () => {
    await using world = vendor.world()
    const { failover } = failoverOf(world)
    await failover.act({ action: 'trip', target: { target: 't1' } }, writer)
    const last = { action: 'trip', target: { target: 't2' } } as const
    await assert.rejects(failover.act(last, writer), { code: 4095, reason: 'would_leave_no_target' })
    const forced = await failover.act({ ...last, force: true }, writer)
    assert.deepEqual(forced.remaining_capacity, { route: 'default', healthy_targets: 0 })
    await assert.rejects(failover.act({ action: 'trip', target: { target: 'none' } }, writer), { code: 4040 })
  })

  it('of the platform are not a tenant’s to take', async () => {
    await using world = vendor.world()
    const { failover } = failoverOf(world)
    const tenant = { ...writer, principal: { ...writer.principal, scope: 'tenant', tenantId: 7 } } as Writer
    await assert.rejects(failover.act({ action: 'trip', target: { target: 't1' }, force: true }, tenant), {
      code: 4040,
    })
  })

  it('are shown to a tenant as its own requests would go, whatever it says', async () => {
    await using world = vendor.world()
    const asked: number[] = []
    const route: typeof world.catalogue.route = (facts) => {
      asked.push(facts.tenantId)
      return world.catalogue.route(facts)
    }
    const { failover } = failoverOf({ ...world, catalogue: { ...world.catalogue, route } })
    const tenant = { ...writer.principal, scope: 'tenant', tenantId: 7 } as Writer['principal']
    await failover.simulate({ model: 'first', tenant_id: 8 }, [], tenant)
    assert.deepEqual(asked, [7])
  })

  it('are shown where a request would go without them, and nothing is sent', async () => {
    await using world = vendor.world()
    const { failover } = failoverOf(world)
    const usual = await failover.simulate({ model: 'first', input_tokens: 900 }, [], writer.principal)
    assert.deepEqual(
      [usual.route, usual.order.map(({ target, probability }) => [target, probability])],
      [
        'default',
        [
          ['t1', 1],
          ['t2', 0],
        ],
      ],
    )
    const without = await failover.simulate({ model: 'first' }, ['t1'], writer.principal)
    assert.deepEqual(
      [without.order.map(({ target, probability }) => [target, probability]), without.rejected[0]?.because],
      [[['t2', 1]], 'assumed down'],
    )
    assert.equal(without.order[0]?.because, 'healthy; tier 1; t1 assumed down')
    const large = await failover.simulate({ model: 'first', input_tokens: 200_000 }, [], writer.principal)
    assert.deepEqual(large.order, [])
    assert.deepEqual([await world.first.seen(), world.ledger.wishes], [[], []])
  })
})
