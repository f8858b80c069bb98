import assert from 'node:assert/strict'
import { defineEvent } from '#kernel'
import { EventHub } from '../../kernel/event.ts'
import type { Bus } from '../../kernel/data/bus.ts'
import { recordingLog } from '../support/recording-log.ts'

const changed = defineEvent<{ key: string }>('config.changed')

/** Two buses of which each brings the other what it publishes, as it comes off a wire. */
function buses(): readonly [Bus, Bus] {
  const listeners: [Set<(payload: unknown) => void>, Set<(payload: unknown) => void>] = [new Set(), new Set()]
  const bus = (own: 0 | 1): Bus => ({
    publish(_channel, payload) {
      for (const listener of listeners[own === 0 ? 1 : 0]) listener(JSON.parse(JSON.stringify(payload)))
      return Promise.resolve(true)
    },
    subscribe(_channel, listener) {
      const hear = (payload: unknown): void => void listener(payload)
      listeners[own].add(hear)
      return { [Symbol.dispose]: () => void listeners[own].delete(hear) }
    },
    onMissed: () => ({ [Symbol.dispose]: () => undefined }),
  })
  return [bus(0), bus(1)]
}

describe('events', () => {
  it('are waited for on their own host, and reach those of other hosts who ask for them', async () => {
    const [first, second] = buses()
    const { log } = recordingLog()
    using here = new EventHub(first, log)
    using there = new EventHub(second, log)
    const heard: string[] = []
    here.on(changed, async ({ key }) => {
      await Promise.resolve()
      heard.push(`here ${key}`)
    })
    here.on(changed, ({ key }) => void heard.push(`here too ${key}`), 'every-host')
    there.on(changed, ({ key }) => void heard.push(`there ${key}`))
    there.on(changed, ({ key }) => void heard.push(`there too ${key}`), 'every-host')
    const isHeard = await here.emit(changed, { key: 'a' })
    assert.deepEqual([heard.sort(), isHeard], [['here a', 'here too a', 'there too a'], true])
  })

  it('go on to the others when a listener fails', async () => {
    const { log, lines } = recordingLog()
    using hub = new EventHub(buses()[0], log)
    const heard: string[] = []
    hub.on(changed, () => {
      throw new Error('deaf')
    })
    hub.on(changed, ({ key }) => void heard.push(key))
    const isHeard = await hub.emit(changed, { key: 'a' })
    assert.deepEqual([heard, lines, isHeard], [['a'], ['error: a listener failed'], false])
  })

  it('reach nobody who has stopped listening', async () => {
    using hub = new EventHub(buses()[0], recordingLog().log)
    const heard: string[] = []
    const first = hub.on(changed, ({ key }) => void heard.push(`first ${key}`))
    const second = hub.on(changed, ({ key }) => void heard.push(`second ${key}`))
    assert.deepEqual(hub.listenerCounts, { 'config.changed': 2 })
    first[Symbol.dispose]()
    await hub.emit(changed, { key: 'a' })
    second[Symbol.dispose]()
    assert.deepEqual([heard, hub.listenerCounts], [['second a'], {}])
  })
})
