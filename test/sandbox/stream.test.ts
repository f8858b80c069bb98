import { deepEqual, equal } from 'node:assert/strict'
import { stream } from '../../sandbox/broker/stream.ts'
import type { CapabilityOperations } from '../../sandbox/broker/capability.ts'
import { GuestCalls } from './capabilities-call.ts'

describe('a message that a guest streams', () => {
  const sent: unknown[] = []
  const capability = stream.create({ services: {} } as unknown as never) as CapabilityOperations
  const guest = (): GuestCalls =>
    new GuestCalls(capability, { stream: (message) => Promise.resolve(void sent.push(message)) })
  beforeEach(() => void (sent.length = 0))

  it('has a name and an id that make no other message', async () => {
    const wrong = [
      ...['a\n\ndata: x', 'a\rb', 'a b', 'A', '', 'x'.repeat(65)].map((event) => ({ event })),
      ...['1\n\nevent: error', '1\r', '1 2', 'é', '', 'x'.repeat(101)].map((id) => ({ id })),
    ]
    const taken = []
    for (const message of wrong)
      if ((await guest().ask('stream.send', message)) !== 'bad_request argument_invalid') taken.push(message)
    deepEqual([taken, sent], [[], []])
    equal(await guest().ask('stream.send', { event: 'delta.1', id: '7', data: { a: 'b\n\nc' } }), null)
    deepEqual(sent, [{ event: 'delta.1', id: '7', data: { a: 'b\n\nc' }, size: 14 }])
  })

  it('is sent by routes that stream alone', async () => {
    equal(await new GuestCalls(capability).ask('stream.send', { data: 1 }), 'bad_request no_stream')
  })
})
