import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'
import { Channel } from '../../sandbox/wire/channel.ts'
import type { Frame } from '../../sandbox/wire/frames.ts'

describe('a channel', () => {
  /** Two ends; the receiving one reads nothing before it is told to. */
  async function pair() {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const near = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
    const [far] = (await once(server, 'connection')) as [Socket]
    const came: Frame[] = []
    const sender = new Channel(near, { onFrame: () => undefined, onClose: () => undefined })
    const receiver = new Channel(far, { onFrame: (frame) => came.push(frame), onClose: () => undefined })
    far.on('data', (chunk: Buffer) => receiver.receive(chunk))
    far.pause()
    return {
      ...{ sender, came },
      async all(count: number) {
        far.resume()
        while (came.length < count) await once(far, 'data')
        return came.map(({ type, id, fields }) => `${type} ${id}${(fields[0]?.length ?? 0) > 9 ? ' large' : ''}`)
      },
      [Symbol.dispose]() {
        sender.close()
        receiver.close()
        server.close()
      },
    }
  }
  const large = 'x'.repeat(8_000_000)

  it('lets small messages of other calls pass large ones, and keeps those of one call in order', async () => {
    using ends = await pair()
    const { sender } = ends
    sender.send('host', 1, large)
    await new Promise(setImmediate)
    let hasLeft = false
    sender.send('host', 2, large)
    sender.send('done', 1, 'a')
    sender.send('done', 3, 'b')
    sender.send('heap', 0, 'c')
    sender.whenSent(() => (hasLeft = true))
    assert.ok(sender.isCongested)
    await new Promise(setImmediate)
    sender.send('drop', 0, 'd')
    sender.send('call', 4, 'e')
    await new Promise(setImmediate)
    assert.equal(hasLeft, false)
    const order = await ends.all(7)
    assert.deepEqual(order, ['done 3', 'heap 0', 'host 1 large', 'host 2 large', 'done 1', 'drop 0', 'call 4'])
    assert.equal(ends.came.find(({ id }) => id === 2)?.fields[0], large)
    assert.equal(await sender.drained(), true)
    assert.ok(hasLeft)
  })

  it('says in time that the other side reads nothing', async () => {
    using ends = await pair()
    ends.sender.send('host', 1, large)
    ends.sender.send('host', 2, large)
    assert.equal(await ends.sender.drained(50), false)
    ends.sender.send('done', 3, '')
    assert.deepEqual((await ends.all(3)).sort(), ['done 3', 'host 1 large', 'host 2 large'])
  })
})
