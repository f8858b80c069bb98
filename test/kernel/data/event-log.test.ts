// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { positionOf, type LoggedEvent } from '#kernel'
import type { Store } from '../../../kernel/data/store.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { serverOf, startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

const nothing = (): undefined => undefined
const silent = { heard: nothing, reached: nothing, lost: nothing, missed: nothing }
const payloads = (events: readonly LoggedEvent[] | undefined): unknown => events?.map(({ payload }) => payload)

for (const kind of storeKinds) {
  describe(`the log of events (${kind})`, () => {
    let store: Store
    before(async () => {
      store = await openTestStore(kind)
    })
    after(() => store[Symbol.asyncDispose]())

    const append = async (key: string, payload: unknown): Promise<string> =>
      (await store.eventLog.append(key, payload)) ?? assert.fail('not written')

    it('gives ids that grow, and brings every event to those who listen, in that order', async () => {
      const heard: LoggedEvent[] = []
      const listener = { ...silent, heard: (event: LoggedEvent) => void heard.push(event) }
      const subscription = store.eventLog.subscribe(listener)
      const ids = await Promise.all(Array.from({ length: 500 }, (_, n) => append(`order:${n % 3}`, { n })))
      await until(() => heard.length === 500)
      subscription[Symbol.dispose]()
      assert.deepEqual(
        heard.map(({ id }) => id),
        ids.toSorted(),
      )
      assert.equal(new Set(ids).size, 500)
      assert.ok(ids.every((id) => positionOf(id) !== undefined))
    })

    it('tells what came after an id, under several keys, oldest first', async () => {
      const head = (await store.eventLog.head()) ?? assert.fail()
      const first = await append('a', 1)
      await append('b', 2)
      await append('c', 'of nobody')
      const last = await append('a', 3)
      const { eventLog } = store
      assert.deepEqual(
        [
          payloads(await eventLog.readAfter(['a', 'b'], head)),
          payloads(await eventLog.readAfter(['a', 'b'], first)),
          payloads(await eventLog.readAfter(['a', 'b'], last)),
          payloads(await eventLog.readAfter(['nothing'], head)),
        ],
        [[1, 2, 3], [2, 3], [], []],
      )
    })

    it('has a head that is after everything written before it was asked for, however many ask', async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        const before = Array.from({ length: 5 }, () => store.eventLog.head())
        const id = await append('heads', turn)
        const heads = await Promise.all(Array.from({ length: 5 }, () => store.eventLog.head()))
        await Promise.all(before)
        assert.ok(heads.every((head) => head !== undefined && head > id))
      }
    })

    it('tells how far it is, in the order of its events, and writes nothing for it', async () => {
      const words: string[] = []
      const heard = ({ id }: LoggedEvent): void => void words.push(id)
      const subscription = store.eventLog.subscribe({ ...silent, heard, reached: (id) => void words.push(id) })
      const first = await append('marked', 1)
      await store.eventLog.mark()
      const last = await append('marked', 2)
      await until(() => words.length === 3)
      subscription[Symbol.dispose]()
      const mark = words[1] ?? ''
      assert.deepEqual([words[0], words[2], words], [first, last, words.toSorted()])
      assert.deepEqual(payloads(await store.eventLog.readAfter(['marked'], mark)), [2])
      assert.deepEqual(payloads(await store.eventLog.readAfter(['marked'], first)), [2])
    })

    it('keeps 200 events of a key, and says where more were missed', async () => {
      const head = (await store.eventLog.head()) ?? assert.fail()
      const ids: string[] = []
      for (let n = 0; n < 200; n += 1) ids.push(await append('many', n))
      const whole = await store.eventLog.readAfter(['many'], head)
      await append('many', 200)
      assert.deepEqual(
        [
          whole?.length,
          await store.eventLog.readAfter(['many'], head),
          (await store.eventLog.readAfter(['many'], ids[0] as string))?.length,
        ],
        [200, undefined, 200],
      )
    })

    it('knows no id of another log, of ten minutes ago, or of nobody', async () => {
      const tail = '-7000-8000-000000000000'
      const idAt = (milliseconds: number): string => {
        const time = milliseconds.toString(16).padStart(12, '0')
        return `${time.slice(0, 8)}-${time.slice(8)}${tail}`
      }
      const ids = [idAt(Date.now() - 11 * 60_000), idAt(Date.now() + 60_000), randomUUID(), 'x', '']
      const read = await Promise.all(ids.map((id) => store.eventLog.readAfter(['a'], id)))
      assert.deepEqual(
        read,
        ids.map(() => undefined),
      )
    })
  })
}

const redisUrl = testRedisUrl()
if (redisUrl !== undefined)
  describe('the log of events of several hosts', () => {
    it('is one, and says so where something could not be written', async () => {
      await using wire = await startTcpProxy(serverOf(redisUrl))
      const namespace = `test-${randomUUID()}`
      await using one = await openTestStore('redis', {
        namespace,
        redisUrl: wire.through(redisUrl),
        log: recordingLog().log,
      })
      await using two = await openTestStore('redis', { namespace })
      const words: unknown[] = []
      two.eventLog.subscribe({
        ...silent,
        heard: ({ payload }) => void words.push(payload),
        missed: () => void words.push('missed'),
      })
      const first = (await one.eventLog.append('a', 1)) ?? assert.fail()
      const second = (await two.eventLog.append('a', 2)) ?? assert.fail()
      await until(() => words.length === 2)
      assert.deepEqual([words, payloads(await one.eventLog.readAfter(['a'], first))], [[1, 2], [2]])
      wire.cut()
      assert.equal(await one.eventLog.append('a', 'lost'), undefined)
      wire.heal()
      await until(() => words.includes('missed'))
      assert.equal(await two.eventLog.readAfter(['a'], second), undefined)
    })

    it('begins anew when Redis loses it', async () => {
      const namespace = `test-${randomUUID()}`
      await using store = await openTestStore('redis', { namespace })
      const id = (await store.eventLog.append('a', 1)) ?? assert.fail()
      const redis = new Redis(redisUrl)
      await redis.del(...(await redis.keys(`stoa:${namespace}:log:*`)))
      await redis.quit()
      assert.equal(await store.eventLog.readAfter(['a'], id), undefined)
      await store.eventLog.append('a', 2)
      assert.equal(await store.eventLog.readAfter(['a'], id), undefined)
    })
  })
