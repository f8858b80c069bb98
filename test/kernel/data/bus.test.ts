// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { recordingLog } from '../../support/recording-log.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { serverOf, startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

describe('bus (memory)', () => {
  it('delivers nothing, for there is no other host', async () => {
    await using store = await openTestStore('memory')
    store.bus.subscribe('a', () => assert.fail())
    await store.bus.publish('a', 1)
  })
})

if (storeKinds.includes('redis')) {
  describe('bus (redis)', () => {
    it('tells the other hosts and not the one that speaks, in order and by channel', async () => {
      const namespace = randomUUID()
      await using one = await openTestStore('redis', { namespace })
      await using two = await openTestStore('redis', { namespace })
      using subscriptions = new DisposableStack()
      const heard: unknown[] = []
      subscriptions.use(one.bus.subscribe('a', (payload) => void heard.push(['own', payload])))
      subscriptions.use(two.bus.subscribe('a', (payload) => void heard.push(['a', payload])))
      subscriptions.use(two.bus.subscribe('b', (payload) => void heard.push(['b', payload])))
      await one.bus.publish('a', { n: 1 })
      await one.bus.publish('c', 0)
      await one.bus.publish('b', [2])
      await until(() => heard.length >= 2)
      assert.deepEqual(heard, [
        ['a', { n: 1 }],
        ['b', [2]],
      ])
    })

    it('says whether a word went out, and tells who may have missed one, once it listens again', async () => {
      const url = testRedisUrl() ?? assert.fail('no Redis')
      await using wire = await startTcpProxy(serverOf(url))
      const namespace = randomUUID()
      await using one = await openTestStore('redis', { namespace })
      await using two = await openTestStore('redis', { namespace, redisUrl: wire.through(url) })
      const heard: unknown[] = []
      two.bus.subscribe('a', (payload) => void heard.push(payload))
      // Whoever is told says so in the words of the others: the subscription holds again by then.
      two.bus.onMissed(() => void one.bus.publish('a', 'after'))
      assert.equal(await two.bus.publish('b', 1), true)
      wire.cut()
      await until(() => wire.open === 0)
      assert.equal(await two.bus.publish('b', 2), false)
      await one.bus.publish('a', 'missed')
      wire.heal()
      await until(() => heard.length > 0)
      assert.deepEqual(heard, ['after'])
    })

    it('stops at the end of a subscription, and survives a listener that throws', async () => {
      const namespace = randomUUID()
      const { log, lines } = recordingLog()
      await using one = await openTestStore('redis', { namespace })
      await using two = await openTestStore('redis', { namespace, log })
      using subscriptions = new DisposableStack()
      const heard: unknown[] = []
      two.bus.subscribe('a', () => void heard.push('gone'))[Symbol.dispose]()
      subscriptions.use(two.bus.subscribe('a', () => Promise.reject(new Error('no'))))
      subscriptions.use(two.bus.subscribe('a', (payload) => void heard.push(payload)))
      await one.bus.publish('a', 1)
      await until(() => heard.length > 0 && lines.length > 0)
      assert.deepEqual({ heard, lines }, { heard: [1], lines: ['error: A listener of the bus failed'] })
    })
  })
}
