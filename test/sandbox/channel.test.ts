import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Channel } from '../../sandbox/wire/channel.ts'
import type { Frame } from '../../sandbox/wire/frames.ts'
import { until } from '../support/until.ts'

describe('a channel', () => {
  /** Two ends; the receiving one reads nothing before it is told to. */
  async function pair({ isSlow = false } = {}) {
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-channel-'))
    const address = path.join(folder, 'socket')
    const server = createServer({ pauseOnConnect: true }).listen(address)
    await once(server, 'listening')
    const near = connect(address)
    const [far] = (await once(server, 'connection')) as [Socket]
    const came: Frame[] = []
    const sender = new Channel(near, { onFrame: () => undefined, onClose: () => undefined })
    const receiver = new Channel(far, { onFrame: (frame) => came.push(frame), onClose: () => undefined })
    far.on('data', (chunk: Buffer) => {
      receiver.receive(chunk)
      // As a host whose thread has other things to do.
      for (const began = performance.now(); isSlow && performance.now() - began < 1;);
    })
    far.pause()
    return {
      ...{ sender, came },
      async all(count: number) {
        far.resume()
        while (came.length < count) await once(far, 'data')
        return came.map(({ type, id, fields }) => `${type} ${id}${(fields[0]?.length ?? 0) > 9 ? ' large' : ''}`)
      },
      async [Symbol.asyncDispose]() {
        sender.close()
        receiver.close()
        server.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  }
  const large = 'x'.repeat(8_000_000)

  it('lets small messages of other calls pass large ones, and keeps those of one call in order', async () => {
    await using ends = await pair()
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
    sender.send('stuck', 0, 'memory')
    await new Promise(setImmediate)
    sender.send('drop', 0, 'd')
    sender.send('call', 4, 'e')
    await new Promise(setImmediate)
    assert.equal(hasLeft, false)
    const order = await ends.all(8)
    assert.deepEqual(order, [
      'done 3',
      'heap 0',
      'host 1 large',
      'host 2 large',
      'done 1',
      'stuck 0',
      'drop 0',
      'call 4',
    ])
    assert.equal(ends.came.find(({ id }) => id === 2)?.fields[0], large)
    assert.equal(await sender.drained(), true)
    assert.ok(hasLeft)
  })

  it('lets no stream of small messages keep a large one for ever', async () => {
    await using ends = await pair({ isSlow: true })
    const { sender, came } = ends
    const answer = (id: number): void => sender.send('answer', id, 'x'.repeat(60_000))
    for (let id = 2; id < 18; id++) answer(id)
    await new Promise(setImmediate)
    sender.send('host', 1, large.slice(0, 1_000_000))
    void ends.all(Infinity).catch(() => undefined)
    // As calls that are answered at once ask again at once.
    let read = 0
    const again = setInterval(() => {
      for (const { id } of came.slice(read)) if (id > 1) answer(id)
      read = came.length
    })
    await until(() => came.some(({ id }) => id === 1), 20_000).finally(() => clearInterval(again))
  })

  it('says in time that the other side reads nothing', async () => {
    await using ends = await pair()
    ends.sender.send('host', 1, large)
    ends.sender.send('host', 2, large)
    assert.equal(await ends.sender.drained(50), false)
    ends.sender.send('done', 3, '')
    assert.deepEqual((await ends.all(3)).sort(), ['done 3', 'host 1 large', 'host 2 large'])
  })
})
