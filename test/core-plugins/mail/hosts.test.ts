// @both-back-ends
import assert from 'node:assert/strict'
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { createSharedHome, type SharedHome } from './host-process.ts'
import { codeTo, startMailWorld } from './world.ts'

describe('messages of several hosts', () => {
  let server: SmtpServer
  let home: SharedHome

  beforeEach(async () => {
    server = await startSmtpServer()
    home = await createSharedHome()
  })
  afterEach(async () => {
    await home[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  it('leave once each, though every host looks for them', async () => {
    await using first = await startMailWorld(server, home.options)
    await using second = await startMailWorld(undefined, home.options)
    const readers = Array.from({ length: 40 }, (_, index) => `reader${index}@example.test`)
    await Promise.all(readers.map((to, index) => (index % 2 ? first : second).sender.send(codeTo(to))))
    await until(async () => (await first.outbox()).length === 0, 20_000)
    assert.deepEqual(server.mails.map(({ to }) => to[0]).sort(), readers.toSorted())
  })

  it('are delivered by another when their host dies in the middle', async () => {
    await using world = await startMailWorld(server, home.options)
    await world[Symbol.asyncDispose]()
    let isHeld = false
    server.onMail = () => new Promise(() => (isHeld = true))
    {
      await using crashing = home.spawnHost('survivor@example.test')
      await until(() => isHeld, 40_000)
      await crashing.kill()
    }
    server.onMail = () => undefined
    await using other = await startMailWorld(undefined, home.options)
    assert.deepEqual(
      (await other.outbox()).map(({ state, attempts }) => [state, attempts]),
      [['queued', 1]],
    )
    await until(() => server.mails.length === 1, 40_000)
    assert.deepEqual(server.mails[0]?.to, ['survivor@example.test'])
    await until(async () => (await other.outbox()).length === 0)
  })
})
