// @both-back-ends
import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import { besides, startQueueHost, type QueueHost } from './world.ts'

describe('jobs of groups', () => {
  let resources: AsyncDisposableStack
  let world: QueueHost
  beforeEach(async () => {
    resources = new AsyncDisposableStack()
    world = resources.use(await startQueueHost())
  })
  afterEach(() => resources.disposeAsync())

  it('run as many at once of each as the host has room for, and those of one hold up no other', async () => {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    world.run<string>({
      keepSeconds: 0,
      concurrency: 16,
      groups: () => new Map([...'ab'].map((group) => [group, 2])),
      async run({ payload }) {
        begun.push(payload)
        await new Promise<void>((resolve) => ends.set(payload, resolve))
      },
    })
    const jobs = ['a1', 'a2', 'a3', 'a4', 'b1', 'x1'].map((name) => ({ payload: name, group: name[0]!, tenant: 7 }))
    const another = { payload: 'b2', group: 'b', tenant: 3 }
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', [...jobs, another]))
    await until(() => begun.length === 4)
    ends.get('a1')!()
    await until(() => begun.length === 5)
    await world.enqueue('of none')
    await until(() => begun.length === 6)
    assert.deepEqual(begun.slice(0, 4).sort(), ['a1', 'a2', 'b1', 'b2'])
    assert.deepEqual(begun.slice(4), ['a3', 'of none'])
    for (const end of ends.values()) end()
    await until(() => begun.length === 7)
    ends.get('a4')!()
    await until(async () => (await world.rows()).map(({ state }) => state).join() === 'waiting')
  })

  it('go to the host that runs theirs', async () => {
    const other = resources.use(await startQueueHost(besides(world)))
    const ran: string[] = []
    for (const [host, group] of [
      [world, 'a'],
      [other, 'b'],
    ] as const) {
      host.run<string>({
        keepSeconds: 0,
        groups: () => new Map([[group, 4]]),
        run: ({ payload }) => void ran.push(`${group} ${payload}`),
      })
    }
    for (const group of ['a', 'b']) await world.enqueue(group, { group })
    await until(async () => (await world.rows()).length === 0)
    assert.deepEqual(ran.sort(), ['a a', 'b b'])
  })

  it('are taken back together, but for those that have begun', async () => {
    const end = Promise.withResolvers<undefined>()
    resources.defer(() => end.resolve(undefined))
    await world.enqueue('held', { group: 'a', key: 'k' })
    await world.enqueue('behind', { group: 'a', key: 'k' })
    await world.enqueue('late', { group: 'a', delay: 3_600_000, tenant: 5 })
    await world.enqueue('other', { group: 'b', delay: 3_600_000 })
    world.run({ run: () => end.promise })
    await until(async () => (await world.rows())[0]?.state === 'running')
    await world.db.transaction((trx) => world.queue.withdrawGroup(trx, 'test.work', 'a'))
    assert.deepEqual(
      (await world.rows()).map(({ state }) => state),
      ['running', 'delayed'],
    )
  })

  it('that are taken back leave none behind that is queued at the moment and would wait for them', async () => {
    await world.enqueue('first', { group: 'a', key: 'k', delay: 3_600_000 })
    const withdrawing = await world.db.transaction()
    await world.queue.withdrawGroup(withdrawing, 'test.work', 'a')
    const queued = world.enqueue('second', { group: 'a', key: 'k' })
    // It waits for the lock of the key.
    await until(async () => (await waitingLocks(world)) > 0)
    await withdrawing.commit()
    await queued
    assert.deepEqual(
      (await world.rows()).map(({ state }) => state),
      ['waiting'],
    )
  })

  it('that wait for their time begin when they are told to hurry', async () => {
    const ran: unknown[] = []
    world.run({ keepSeconds: 0, run: ({ payload }) => void ran.push(payload) })
    await world.enqueue('a', { group: 'a', delay: 3_600_000 })
    await world.enqueue('b', { group: 'b', delay: 3_600_000 })
    await world.db.transaction((trx) => world.queue.hurryGroup(trx, 'test.work', 'a'))
    await until(async () => (await world.rows()).length === 1)
    assert.deepEqual([ran, (await world.rows()).map(({ state }) => state)], [['a'], ['delayed']])
  })
})

async function waitingLocks({ db }: QueueHost): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.length
}

describe('a job', () => {
  let world: QueueHost
  beforeEach(async () => void (world = await startQueueHost()))
  afterEach(() => world[Symbol.asyncDispose]())

  it('knows since when it is queued, and its error how soon it comes again', async () => {
    const times: Date[] = []
    world.run({
      attempts: 2,
      keepDeadSeconds: 60,
      backoff: (_, error) => ((error as Error).message === 'soon' ? 1 : 3_600_000),
      run({ createdAt }) {
        times.push(createdAt)
        throw new Error(times.length === 1 ? 'soon' : 'no more')
      },
    })
    await world.enqueue('x')
    await until(async () => (await world.rows())[0]?.state === 'dead')
    const [row] = (await world.rows()) as unknown as readonly { created_at: Date; finished_at: Date; forget_at: Date }[]
    assert.deepEqual(times, [row?.created_at, row?.created_at])
    assert.equal(Number(row?.forget_at) - Number(row?.finished_at), 60_000)
  })

  it('comes again when it says so, which is no attempt, and its key waits behind it', async () => {
    const ran: unknown[] = []
    world.run({
      keepSeconds: 0,
      attempts: 1,
      run({ payload, attempt }) {
        ran.push([payload, attempt])
        return payload === 'long' && ran.length < 4 ? { againIn: ran.length % 2 } : undefined
      },
    })
    const jobs = ['long', 'behind'].map((payload) => ({ payload, key: 'k' }))
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', jobs))
    await until(() => ran.length === 5)
    const long = Array.from({ length: 4 }, () => ['long', 1])
    assert.deepEqual(ran, [...long, ['behind', 1]])
  })

  it('stands beside others of other names that are queued with it, and for those of its own', async () => {
    const names = ['a', 'b', 'a', 'c', 'b']
    const jobs = names.map((dedupe, payload) => ({ payload, dedupe, key: dedupe }))
    const ids = await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', jobs))
    assert.equal((await world.rows()).length, 3)
    assert.deepEqual([ids[2], ids[4]], [ids[0], ids[1]])
  })
})
