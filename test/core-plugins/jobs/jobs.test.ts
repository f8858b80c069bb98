// @both-back-ends
import assert from 'node:assert/strict'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import { jobsDied, jobsProgressed } from '../../../core-plugins/jobs/contract.ts'
import { assertLeavesNothing } from '../../support/kernel.ts'
import { probePlugin } from '../../support/probe.ts'
import { until } from '../../support/until.ts'
import { queuePlugins, startQueueHost, type QueueHost } from './world.ts'

const nothing = (): Promise<void> => Promise.resolve()

describe('the queue of jobs', () => {
  const heard: unknown[] = []
  const listener = probePlugin('listener', (scope) => {
    scope.on(jobsProgressed, ({ percent, text }) => void heard.push([percent, text]))
    scope.on(jobsDied, ({ kind, error }) => void heard.push([kind, error]))
  })
  let world: QueueHost
  beforeEach(async () => {
    heard.length = 0
    world = await startQueueHost({ plugins: [...queuePlugins, listener] })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const isEmpty = async (): Promise<boolean> => (await world.rows()).length === 0
  const states = async () => (await world.rows()).map(({ state }) => state)

  it('takes a job with the transaction of its cause: both or neither', async () => {
    const ran: unknown[] = []
    world.run({ keepSeconds: 0, run: ({ payload }) => void ran.push(payload) })
    await world.db
      .transaction(async (trx) => {
        await world.queue.enqueue(trx, 'test.work', 'never')
        throw new Error('undone')
      })
      .catch(() => undefined)
    await world.enqueue({ n: 1 })
    await until(isEmpty)
    assert.deepEqual(ran, [{ n: 1 }])
  })

  it('wakes a host at once instead of being asked', async () => {
    let began: (at: number) => void = () => undefined
    world.run({ run: () => began(performance.now()) })
    const waits: number[] = []
    for (let n = 0; n < 11; n++) {
      const run = new Promise<number>((resolve) => (began = resolve))
      const queued = performance.now()
      await world.enqueue(n)
      waits.push((await run) - queued)
    }
    // Asked each second, half of them would wait for 500 ms and more.
    assert.ok(waits.toSorted((a, b) => a - b)[5]! < 250, waits.join(' '))
  })

  it('looks by itself for what no word told of', async () => {
    let ran = 0
    world.run({ run: () => void ran++ })
    const row = { tenant_id: 0, kind: 'test.work', payload: '{}', state: 'waiting' }
    await world.db('jobs').queryContext({ tenant: 'all' }).insert(row)
    await until(() => ran === 1)
  })

  it('runs the jobs of a key one after the other, in their order, whatever fails between', async () => {
    const order: Record<string, number[]> = {}
    const busy = new Set<string>()
    world.run<{ key: string; n: number }>({
      keepSeconds: 0,
      async run({ payload: { key, n }, attempt }) {
        assert.equal(busy.has(key), false)
        busy.add(key)
        await new Promise(setImmediate)
        busy.delete(key)
        if (n % 7 === 0 && attempt < 3) throw new Error('again')
        ;(order[key] ??= []).push(n)
      },
    })
    const keys = ['a', 'b', 'c']
    const entries = Array.from({ length: 20 }, (_, n) => keys.map((key) => ({ payload: { key, n }, key }))).flat()
    await world.db.transaction((trx) => world.queue.enqueueAll(trx, 'test.work', entries))
    for (const key of keys) await world.enqueue({ key, n: 20 }, { key, priority: 100 })
    await until(isEmpty, 40_000)
    const all = Array.from({ length: 21 }, (_, n) => n)
    assert.deepEqual(order, { a: all, b: all, c: all })
  })

  it('lets the next one of a key go when the one before is given up or cancelled', async () => {
    const ran: unknown[] = []
    await world.enqueue('bad', { key: 'k' })
    const second = await world.enqueue('second', { key: 'k', delay: 3_600_000 })
    await world.enqueue('third', { key: 'k' })
    world.run({
      attempts: 1,
      run({ payload }) {
        if (payload === 'bad') throw new Error('no')
        ran.push(payload)
      },
    })
    await until(async () => (await states()).join() === 'dead,delayed,held')
    assert.equal((await world.queue.find(second))?.state, 'delayed')
    await world
      .db('jobs')
      .queryContext({ tenant: 'all' })
      .where({ id: second })
      .update({ run_at: new Date(0) })
    await until(() => ran.length === 2)
    assert.deepEqual(ran, ['second', 'third'])
  })

  it('keeps a delayed job until its time', async () => {
    const ran: unknown[] = []
    world.run({ run: ({ payload }) => void ran.push(payload) })
    await world.enqueue('late', { delay: 1_500 })
    await world.enqueue('later', { delay: 3_600_000 })
    await world.enqueue('now')
    await until(async () => (await states()).join() === 'done,delayed,done')
    assert.deepEqual(ran, ['now', 'late'])
  })

  it('tries again what failed, later each time, and gives up in the end or at once when told so', async () => {
    const attempts: number[] = []
    world.run({
      attempts: 3,
      isFinal: (error) => (error as Error).message === 'in vain',
      run({ payload, attempt }) {
        if (payload === 'in vain') throw new Error('in vain')
        attempts.push(attempt)
        throw new Error(`attempt ${attempt}`)
      },
    })
    await world.enqueue('again')
    await world.enqueue('in vain')
    await until(async () => (await states()).join() === 'dead,dead')
    const rows = (await world.rows()).map(({ attempts, error }) => [attempts, error])
    assert.deepEqual(
      [attempts, rows],
      [
        [1, 2, 3],
        [
          [3, 'attempt 3'],
          [1, 'in vain'],
        ],
      ],
    )
    await until(() => heard.length === 2)
    assert.deepEqual(heard.toSorted(), [
      ['test.work', 'attempt 3'],
      ['test.work', 'in vain'],
    ])
  })

  it('waits the backoff before the next attempt', async () => {
    world.run({ backoff: (attempt) => attempt * 3_600_000, run: () => Promise.reject(new Error('later')) })
    const id = await world.enqueue(1)
    await until(async () => (await states()).join() === 'delayed')
    const [{ seconds }] = (await world
      .db('jobs')
      .queryContext({ tenant: 'all' })
      .where({ id })
      .select(world.db.raw('extract(epoch from run_at - started_at)::float as seconds'))) as [{ seconds: number }]
    assert.ok(seconds > 3_500 && seconds < 3_700, String(seconds))
  })

  it('has one job stand for all of its name that has not begun, and begins it after those who counted on it', async () => {
    const seen: unknown[] = []
    let go: () => void = () => undefined
    const first = await world.enqueue('x', { dedupe: 'doc 1' })
    assert.equal(await world.enqueue('y', { dedupe: 'doc 1' }), first)
    const other = await world.enqueue('z', { dedupe: 'doc 1', tenant: 4 })
    assert.notEqual(other, first)
    const counting = await world.db.transaction()
    assert.equal(await world.queue.enqueue(counting, 'test.work', 'y', { dedupe: 'doc 1' }), first)
    world.run({
      async run({ id }) {
        seen.push(id)
        await new Promise<void>((resolve) => (go = resolve))
      },
    })
    await until(() => seen.length === 1)
    assert.deepEqual(seen, [other])
    await counting.commit()
    await until(() => seen.length === 2)
    // It runs, so it may have read what the next one is about.
    const next = await world.enqueue('x', { dedupe: 'doc 1' })
    assert.notEqual(next, first)
    go()
  })

  it('shows how far a job is, and tells everybody', async () => {
    const end = Promise.withResolvers<undefined>()
    world.run({
      async run(job) {
        await job.progress(41.6, 'half way')
        await end.promise
      },
    })
    const id = await world.enqueue(1)
    await until(() => heard.length === 1)
    const found = await world.queue.find(id)
    assert.deepEqual(
      [heard, found],
      [[[42, 'half way']], { id, state: 'running', percent: 42, text: 'half way', error: null }],
    )
    end.resolve(undefined)
    await until(async () => (await world.queue.find(id))?.state === 'done')
    assert.equal(await world.queue.find('4711'), undefined)
  })

  it('leaves nothing registered when it is disabled', async () => {
    const { kernel } = world.host
    await kernel.disable('jobs')
    await assertLeavesNothing(kernel, jobsPlugin)
  })

  it('refuses two who run one kind', () => {
    world.run({ run: nothing })
    assert.throws(() => world.run({ run: nothing }), /already/)
  })
})
