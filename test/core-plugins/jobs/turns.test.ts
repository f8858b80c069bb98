// @both-back-ends
import assert from 'node:assert/strict'
import { takeJobs } from '../../../core-plugins/jobs/queue/take-jobs.ts'
import { slots } from '../../../core-plugins/jobs/worker/fair-room.ts'
import { until } from '../../support/until.ts'
import { startQueueHost, type QueueHost } from './world.ts'

describe('the turns of jobs', () => {
  let world: QueueHost
  beforeEach(async () => {
    world = await startQueueHost()
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('runs the jobs of a tenant by their priority', async () => {
    const ran: unknown[] = []
    const entries = [0, 5, -5, 9, 0].map((priority, n) => ({ payload: n, priority }))
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', entries))
    world.run({ concurrency: 1, run: ({ payload }) => void ran.push(payload) })
    await until(() => ran.length === 5)
    assert.deepEqual(ran, [3, 1, 0, 4, 2])
  })

  it('runs a job of one tenant among the first although another one has queued ten thousand', async () => {
    let ran = 0
    const before: Record<number, number> = {}
    const many = Array.from({ length: 10_000 }, (_, payload) => ({ payload, tenant: 1 }))
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', many))
    world.run({
      keepSeconds: 0,
      run({ tenantId }) {
        before[tenantId] ??= ran
        ran++
      },
    })
    await until(() => ran > 500, 30_000)
    const queued = ran
    await world.enqueue('one', { tenant: 2 })
    await until(() => before[2] !== undefined, 30_000)
    // What ran while it was queued counts too, on a machine as busy as this; it does not come after the ten thousand.
    assert.ok(before[2]! - queued < 3_000, `${before[2]! - queued} went before it`)
  })

  it('has room at once for a tenant that comes later, however long the jobs of others are', async () => {
    const begun: number[] = []
    world.run({
      concurrency: slots,
      async run({ tenantId, signal }) {
        begun.push(tenantId)
        if (tenantId === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    const many = Array.from({ length: 100 }, (_, payload) => ({ payload, tenant: 1 }))
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', many))
    await until(() => begun.length === slots / 2)
    await world.enqueue('one', { tenant: 2 })
    await until(() => begun.includes(2))
    assert.equal(begun.filter((tenant) => tenant === 1).length, slots / 2)
  })

  it('serves every one of many tenants in turn', async () => {
    const begun: number[] = []
    const entries = Array.from({ length: 50 }, (_, n) =>
      [1, 2, 3].map((payload) => ({ payload, tenant: n + 1 })),
    ).flat()
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', entries))
    world.run({ concurrency: 4, keepSeconds: 0, run: ({ tenantId }) => void begun.push(tenantId) })
    await until(() => begun.length === 150, 20_000)
    const firsts = begun.slice(0, 54)
    assert.ok(new Set(firsts).size >= 48, `${new Set(firsts).size} of 50 tenants among the first 54`)
  })

  it('gives a tenant no more room for having jobs of several kinds', async () => {
    const names = ['test.one', 'test.two']
    for (const kind of names) for (let n = 0; n < 3; n++) await world.enqueue(n, { kind, tenant: 1 })
    const shares = { tenants: {}, other: 3 }
    const kinds = names.map((kind) => ({ kind, room: 3, after: -1, ...shares }))
    assert.equal((await takeJobs(world.db, { hostId: 'h', most: 10, kinds, ...shares })).length, 3)
  })
})
