// @both-back-ends
import assert from 'node:assert/strict'
import { endDone, endJob } from '../../../core-plugins/jobs/queue/end-job.ts'
import { holdLease, reclaimJobs, renewLeases } from '../../../core-plugins/jobs/queue/leases.ts'
import { takeJobs, type TakenJob } from '../../../core-plugins/jobs/queue/take-jobs.ts'
import { until } from '../../support/until.ts'
import { startQueueHost, type JobRow, type QueueHost } from './world.ts'

/** Without a host that runs them, so that nobody renews or ends what the test has taken. */
describe('the lease of a job', () => {
  let world: QueueHost
  beforeEach(async () => void (world = await startQueueHost()))
  afterEach(() => world[Symbol.asyncDispose]())

  const rows = () => world.db<JobRow>('jobs').queryContext({ tenant: 'all' })
  const row = async (): Promise<JobRow> => (await rows().first()) ?? assert.fail('the job is gone')
  const expire = () => rows().update({ leased_until: new Date(0) })
  /** The host may be freeing it itself at the moment. */
  const untilFreed = () =>
    until(async () => {
      await reclaimJobs(world.db)
      return (await row()).state === 'waiting'
    })
  const take = async (): Promise<TakenJob> => {
    const shares = { tenants: {}, other: 1 }
    const kinds = [{ kind: 'test.work', room: 1, after: -1, ...shares }]
    const [job] = await takeJobs(world.db, { hostId: 'h', most: 1, ...shares, kinds })
    return job ?? assert.fail('nothing was taken')
  }

  it('is neither renewed nor ended by the host that had the job before', async () => {
    await world.enqueue('x')
    const late = await take()
    await expire()
    await untilFreed()
    const present = await take()
    assert.equal(present.id, late.id)
    await rows().update({ leased_until: new Date(Date.now() + 3_600_000) })
    const before = await row()
    const kept = await renewLeases(world.db, [late])
    assert.equal(kept(late), undefined)
    assert.deepEqual(await row(), before)
    const ends = [{ state: 'done', keepSeconds: 0 }, { state: 'cancelled' }, { state: 'waiting' }] as const
    for (const end of ends) assert.equal(await endJob(world.db, late, end), false)
    assert.equal((await endDone(world.db, [late], 60)).size, 0)
    assert.deepEqual(await row(), before)
    assert.equal(await endJob(world.db, present, { state: 'done', keepSeconds: 60 }), true)
    assert.equal((await row()).state, 'done')
  })

  it('is not given to another while a transaction holds it, though its time is over', async () => {
    await world.enqueue('x')
    const taken = await take()
    await world.db.transaction(async (trx) => {
      await holdLease(trx, taken)
      await expire()
      await reclaimJobs(world.db)
      const { state, fence } = await row()
      assert.deepEqual({ state, fence }, { state: 'running', fence: taken.fence })
    })
    await untilFreed()
  })

  it('that ran out over a job that was cancelled ends it, and nobody runs it again', async () => {
    await world.enqueue('x')
    await take()
    const cancelled = { is_cancelled: true, leased_until: new Date(0) }
    await world.db('jobs').queryContext({ tenant: 'all' }).update(cancelled)
    await reclaimJobs(world.db)
    await until(async () => (await row()).state !== 'running')
    assert.equal((await row()).state, 'cancelled')
  })
})
