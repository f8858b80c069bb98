// @both-back-ends
// @both-back-ends
import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import { startQueueHost, type QueueHost } from './world.ts'

const hour = 3_600_000

describe('a job with a name', () => {
  let world: QueueHost
  beforeEach(async () => void (world = await startQueueHost()))
  afterEach(() => world[Symbol.asyncDispose]())

  it('is begun at the earlier of the times for which it was queued', async () => {
    const ran: unknown[] = []
    const early = await world.enqueue('first', { dedupe: 'a', delay: hour })
    assert.equal(await world.enqueue('second', { dedupe: 'a', delay: 2 * hour }), early)
    const [row] = (await world.rows()) as unknown as readonly { run_at: Date; created_at: Date }[]
    assert.equal(Number(row?.run_at) - Number(row?.created_at), hour)
    assert.equal(await world.enqueue('third', { dedupe: 'a' }), early)
    world.run({ run: ({ payload }) => void ran.push(payload) })
    await until(() => ran.length > 0)
    assert.deepEqual(ran, ['first'])
  })

  it('is taken back without a trace, unless it has begun', async () => {
    const end = Promise.withResolvers<undefined>()
    const withdraw = (name: string, tenant?: number) =>
      world.db.transaction((trx) => world.queue.withdraw(trx, 'test.work', name, tenant))
    await world.enqueue('never', { dedupe: 'a', delay: hour })
    await world.enqueue('of another tenant', { dedupe: 'a', tenant: 7, delay: hour })
    await withdraw('a')
    await withdraw('a')
    assert.equal((await world.rows()).length, 1)
    await withdraw('a', 7)
    assert.deepEqual(await world.rows(), [])
    world.run({ run: () => end.promise })
    const begun = await world.enqueue('begun', { dedupe: 'a' })
    await until(async () => (await world.queue.find(begun))?.state === 'running')
    await withdraw('a')
    assert.equal((await world.queue.find(begun))?.state, 'running')
    end.resolve(undefined)
    await world.queue.settle('test.work', 10_000)
    assert.equal((await world.queue.find(begun))?.state, 'done')
  })
})
