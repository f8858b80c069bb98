import assert from 'node:assert/strict'
import type { AiEvent } from '../../../core-plugins/ai/contract.ts'
import { EventQueue } from '../../../core-plugins/ai/invoke/event-queue.ts'
import { UpstreamTimeoutError } from '../../../core-plugins/ai/relay/errors.ts'

const step = (attempt: number): AiEvent => ({
  ...{ type: 'switched', from: 'a', to: 'b', reason: 'timeout' },
  ...{ attempt, committed: false },
})

describe('the steps of an AI call that wait for their reader', () => {
  let told: (string | undefined)[]
  let resumed: number
  let queue: EventQueue
  beforeEach(() => {
    told = []
    resumed = 0
    queue = new EventQueue(
      (error) => told.push(error?.reason ?? 'end'),
      () => told.push('abandoned'),
    )
    queue.read({ flow: () => undefined, resume: () => (resumed += 1) })
  })

  it('are so many at most: the provider is read no further until all are taken', async () => {
    const isWanted = Array.from({ length: 257 }, (_, at) => queue.events([step(at)]))
    assert.deepEqual([isWanted.indexOf(false), isWanted.lastIndexOf(true)], [255, 254])
    for (let at = 0; at < 256; at++) await queue.next()
    assert.equal(resumed, 0)
    assert.deepEqual(await queue.next(), { done: false, value: step(256) })
    assert.equal(resumed, 1)
    assert.equal(queue.events([step(257)]), true)
  })

  it('come in their order to who waits for them already, and then the end or its error', async () => {
    const first = queue.next()
    queue.events([step(1), step(2)])
    queue.end()
    assert.deepEqual(
      [await first, await queue.next()].map(({ value }) => value as AiEvent),
      [step(1), step(2)],
    )
    assert.equal((await queue.next()).done, true)
    assert.deepEqual(told, ['end'])
  })

  it('are lost to who stops early, which ends the call, once', async () => {
    queue.events([step(1)])
    for await (const event of queue) {
      assert.deepEqual(event, step(1))
      break
    }
    assert.deepEqual(told, ['abandoned'])
    queue.fail(new UpstreamTimeoutError())
    await queue.return()
    assert.deepEqual(told, ['abandoned', 'upstream_timeout'])
  })
})
