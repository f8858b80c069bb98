import assert from 'node:assert/strict'
import { setImmediate as soon } from 'node:timers/promises'
import { Turns } from '../../sandbox/broker/http/turns.ts'

describe('requests under way at once', () => {
  it('are bounded for each tenant, go on in the order they came, and are not sent for who gave up', async () => {
    const turns = new Turns(2)
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const begin = (name: string, tenant: number, signal: AbortSignal = new AbortController().signal): Promise<void> =>
      turns.take(tenant, signal, () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
    const gone = new AbortController()
    const running = [begin('a', 1), begin('b', 1), begin('c', 1), begin('d', 2)]
    const left = assert.rejects(begin('e', 1, gone.signal), { message: 'gone' })
    running.push(begin('f', 1))
    await soon()
    assert.deepEqual(begun, ['a', 'b', 'd'])
    gone.abort(new Error('gone'))
    await left
    ends.get('b')?.()
    await soon()
    assert.deepEqual(begun, ['a', 'b', 'd', 'c'])
    ends.get('a')?.()
    await soon()
    assert.deepEqual(begun, ['a', 'b', 'd', 'c', 'f'])
    for (const end of ends.values()) end()
    await Promise.all(running)
    const again = begin('g', 1)
    await soon()
    ends.get('g')?.()
    await again
    assert.deepEqual(begun.at(-1), 'g')
  })
})
