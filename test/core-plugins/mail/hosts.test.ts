// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createSecretBox, generateFernetKey } from '#kernel'
import { Outbox } from '../../../core-plugins/mail/outbox/outbox.ts'
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { createSharedHome, type SharedHome } from './host-process.ts'
import { codeTo, startMailWorld } from './world.ts'

describe('messages of several hosts', function () {
  this.timeout(120_000)
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

  it('that one host is taking keep no other waiting', async () => {
    await using world = await startMailWorld(undefined, home.options)
    const { knex } = world.host.kernel.database
    await world.host.kernel.disable('mail')
    const secrets = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret: randomUUID() })
    await new Outbox(knex, secrets).add(codeTo('first@example.test'))
    const taking = await knex.transaction()
    const taken = await new Outbox(taking, secrets).claim(10)
    const others = await new Outbox(knex, secrets).claim(10)
    await taking.commit()
    assert.deepEqual([taken.length, others], [1, []])
  })

  it('stay with the host that is delivering them however long it takes', async () => {
    await using world = await startMailWorld(undefined, home.options)
    const { knex } = world.host.kernel.database
    await world.host.kernel.disable('mail')
    const secrets = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret: randomUUID() })
    const [mine, others] = [new Outbox(knex, secrets), new Outbox(knex, secrets)]
    await mine.add(codeTo('slow@example.test'))
    const [claimed] = await mine.claim(10)
    assert.ok(claimed)
    const table = () => knex('outgoing_messages').queryContext({ tenant: 'all' })
    await table().update({ leased_until: new Date(Date.now() - 1) })
    await mine.renew([claimed.id])
    assert.deepEqual(await others.claim(10), [])
    await mine.failed(claimed, 'no more', true)
    await mine.sweep()
    assert.equal((await world.outbox()).length, 1)
    await table().update({ failed_at: new Date(Date.now() - 25 * 3_600_000) })
    await mine.sweep()
    assert.equal((await world.outbox()).length, 0)
  })
})
