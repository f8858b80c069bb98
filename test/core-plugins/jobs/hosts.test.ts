// @both-back-ends
import assert from 'node:assert/strict'
import type { RunningJob } from '../../../core-plugins/jobs/contract.ts'
import { takeJobs } from '../../../core-plugins/jobs/queue/take-jobs.ts'
import { latestTime, nextTime } from '../../../core-plugins/jobs/schedules/cron-plan.ts'
import { fireSchedules } from '../../../core-plugins/jobs/schedules/schedule-table.ts'
import { until } from '../../support/until.ts'
import { besides, startQueueHost, type JobRow, type QueueHost } from './world.ts'

const daily = { name: 'daily', kind: 'test.unknown', cron: '30 3 * * *', timezone: 'Asia/Shanghai' }

const schedulesOf = ({ db }: QueueHost) => db<{ next_at: Date }>('job_schedules').queryContext({ tenant: 'all' })

describe('jobs of several hosts', () => {
  let resources: AsyncDisposableStack
  let one: QueueHost
  let two: QueueHost
  beforeEach(async () => {
    resources = new AsyncDisposableStack()
    one = resources.use(await startQueueHost())
    two = resources.use(await startQueueHost(besides(one)))
  })
  afterEach(() => resources.disposeAsync())

  const rows = (host = one) => host.db<JobRow>('jobs').queryContext({ tenant: 'all' })

  it('run once each, though both hosts look for them, and in the order of their keys', async () => {
    const ran: string[] = []
    const busy = new Set<string>()
    for (const host of [one, two]) {
      host.run<{ key: string; n: number }>({
        keepSeconds: 0,
        async run({ payload: { key, n } }) {
          assert.equal(busy.has(key), false)
          busy.add(key)
          await new Promise(setImmediate)
          busy.delete(key)
          ran.push(`${key} ${n}`)
        },
      })
    }
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (key, index) => {
        for (let n = 0; n < 25; n++) await (index % 2 ? one : two).enqueue({ key, n }, { key })
      }),
    )
    await until(async () => (await one.rows()).length === 0, 60_000)
    assert.equal(ran.length, 100)
    for (const key of ['a', 'b', 'c', 'd']) {
      const mine = ran.filter((each) => each.startsWith(key))
      assert.deepEqual(
        mine,
        Array.from({ length: 25 }, (_, n) => `${key} ${n}`),
      )
    }
  })

  it('are taken over from a host that fell silent, whose late writes are refused', async () => {
    const held: RunningJob[] = []
    let go: () => void = () => undefined
    one.run({
      // Or it would take its own job over.
      concurrency: 1,
      async run(job) {
        held.push(job)
        await new Promise<void>((resolve) => (go = resolve))
      },
    })
    const id = await one.enqueue('x')
    await until(() => held.length === 1)
    await one.db.transaction((trx) => held[0]!.hold(trx))
    two.run({
      async run(job) {
        held.push(job)
        await job.progress(50, 'by the second')
        await new Promise<void>((resolve) => job.signal.addEventListener('abort', () => resolve()))
      },
    })
    // As when its renewals do not get through.
    await rows()
      .where({ id })
      .update({ leased_until: new Date(0) })
    await until(() => held.length === 2)
    const [late, now] = held
    assert.equal(now!.attempt, 2)
    await until(async () => (await one.queue.find(id))?.percent === 50)
    await assert.rejects(late!.progress(99), /not this host's/)
    await assert.rejects(
      one.db.transaction(async (trx) => {
        await late!.hold(trx)
        await trx('jobs').queryContext({ tenant: 'all' }).where({ id }).update({ progress: 'by the late one' })
      }),
      /not this host's/,
    )
    await until(() => late!.signal.aborted)
    go()
    assert.deepEqual(await one.queue.find(id), {
      ...{ id, state: 'running', percent: 50, text: 'by the second', error: null },
    })
  })

  it('are not taken over while a transaction of theirs holds them, which renewals do not wait for', async () => {
    const held: RunningJob[] = []
    one.run({
      async run(job) {
        held.push(job)
        await new Promise<void>((resolve) => job.signal.addEventListener('abort', () => resolve()))
      },
    })
    const id = await one.enqueue('x')
    await until(() => held.length === 1)
    const holding = await one.db.transaction()
    await held[0]!.hold(holding)
    await rows(two)
      .where({ id })
      .update({ leased_until: new Date(0) })
    two.run({ run: (job) => void held.push(job) })
    await two.enqueue('y')
    await until(() => held.length === 2)
    assert.equal((await rows(two).where({ id }).first('attempts'))?.attempts, 1)
    await holding.commit()
  })

  it('wait for no host that is taking some at the moment', async () => {
    for (let n = 0; n < 4; n++) await one.enqueue(n)
    const shares = { tenants: {}, other: 2 }
    const wanted = { hostId: 'h', most: 2, ...shares, kinds: [{ kind: 'test.work', room: 2, after: -1, ...shares }] }
    const taking = await one.db.transaction()
    const mine = await takeJobs(taking, wanted)
    const others = await takeJobs(two.db, wanted)
    await taking.commit()
    assert.equal(new Set([...mine, ...others].map(({ id }) => id)).size, 4)
  })

  it('go on elsewhere when their host stops, as if it had never had them', async () => {
    const attempts: number[] = []
    one.run({
      async run({ attempt, signal }) {
        attempts.push(attempt)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    await one.enqueue('x')
    await until(() => attempts.length === 1)
    two.run({ run: ({ attempt }) => void attempts.push(attempt) })
    await one.host.kernel.disable('jobs')
    await until(() => attempts.length === 2)
    assert.deepEqual(attempts, [1, 1])
  })

  it('are dead once as many hosts have died over them as they may be begun', async () => {
    const id = await one.enqueue('x')
    await rows().where({ id }).update({ attempts: 2 })
    one.run({ attempts: 2, run: () => assert.fail('must not run') })
    await until(async () => (await one.queue.find(id))?.state === 'dead')
    assert.match((await one.queue.find(id))?.error ?? '', /hosts that ran it died/)
  })

  it('come once over all hosts at each time of a schedule, and the latest only of those that were missed', async () => {
    await one.queue.schedule(one.db, daily)
    const schedules = () => schedulesOf(one)
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await schedules().update({ next_at: twoDaysAgo })
    await Promise.all(Array.from({ length: 8 }, (_, n) => fireSchedules((n % 2 ? one : two).db)))
    await until(async () => (await one.rows()).length > 0)
    const next = (await schedules().first())?.next_at
    const [job, ...more] = await rows().select('scheduled_at')
    assert.deepEqual([job?.scheduled_at, more], [latestTime(daily, new Date()), []])
    assert.deepEqual(next, nextTime(daily, new Date()))
    // The same plan again loses no time that is due.
    const due = new Date(Date.now() + 60_000)
    await schedules().update({ next_at: due })
    await one.queue.schedule(one.db, daily)
    assert.deepEqual((await schedules().first())?.next_at, due)
    await one.queue.schedule(one.db, { ...daily, timezone: 'UTC' })
    assert.notDeepEqual((await schedules().first())?.next_at, due)
    await one.queue.unschedule(one.db, 'daily')
    assert.equal((await schedules().select()).length, 0)
  })

  it('leave out a time that was missed for too long, and refuse a plan that never comes', async () => {
    const now = new Date()
    const hourAgo = new Date(now.getTime() - 3_600_000)
    const cron = `${hourAgo.getUTCMinutes()} ${hourAgo.getUTCHours()} * * *`
    await one.queue.schedule(one.db, { ...daily, cron, timezone: 'UTC', lateSeconds: 60 })
    await one
      .db('job_schedules')
      .queryContext({ tenant: 'all' })
      .update({ next_at: new Date(0) })
    await until(async () => (await schedulesOf(one).first())!.next_at > now)
    assert.deepEqual(await one.rows(), [])
    await assert.rejects(one.queue.schedule(one.db, { ...daily, cron: '0 0 30 2 *' }), /never comes/)
    await assert.rejects(one.queue.schedule(one.db, { ...daily, timezone: 'Mars/Olympus' }))
  })

  it('know the hours of a time zone, also where a clock is put forward or back', () => {
    const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
    const day = nextTime(daily, new Date('2026-11-22T12:00:00Z'))
    assert.deepEqual(day, new Date('2026-11-22T19:30:00Z'))
    // At 02:00 it is 03:00 on the 28th of March 2027; at 03:00 it is 02:00 on the 31st of October.
    assert.equal(nextTime(berlin, new Date('2027-03-28T00:00:00Z'))?.toISOString().slice(0, 10), '2027-03-28')
    const autumn = nextTime(berlin, new Date('2027-10-30T22:30:00Z'))!
    assert.equal(nextTime(berlin, autumn)?.toISOString().slice(0, 10), '2027-11-01')
  })
})
