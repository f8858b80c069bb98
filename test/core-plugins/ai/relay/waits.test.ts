import assert from 'node:assert/strict'
import { callOf, relayWorld } from './world.ts'

describe('A call whose only target asked to be left alone', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  it('waits while that is short, and is answered each time', async () => {
    await using world = vendor.world()
    const { cooldown } = world.table.target('p-third/up-third')
    for (let each = 0; each < 60; each++) {
      cooldown.extend(Date.now() + 15)
      await world.relay.start(callOf({ body: { stream: false, model: 'third' } }))
    }
    assert.equal((await world.third.seen()).length, 60)
  })
})
