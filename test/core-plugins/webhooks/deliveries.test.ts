// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { sweepDeliveries } from '../../../core-plugins/webhooks/deliveries/sweep.ts'
import type { Body } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { HookWorld, signatureOf, type Hook } from './world.ts'

describe('deliveries of web hooks', () => {
  let world: HookWorld
  before(async () => {
    world = await HookWorld.start()
  })
  after(() => world[Symbol.asyncDispose]())

  const stateOf = (states: readonly Body[]): unknown => states.map(({ state }) => state)
  const rowsOf = (table: string) => runningKernel(world.platform).database.knex(table).queryContext({ tenant: 'all' })
  const insert = (webhookId: string, row: object): Promise<unknown> =>
    rowsOf('webhook_deliveries').insert({
      ...{ id: randomUUID(), tenant_id: world.acme.id, webhook_id: webhookId, event: 'config.updated', data: {} },
      ...{ occurred_at: new Date(), state: 'waiting', ...row },
    })

  it('are tried again, given up, and sent again with the same id', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    world.receiver.answers.set(path, 500)
    await world.cause()
    await until(async () => (await world.shownAt(where))['state'] === 'paused')
    const failed = await world.receiver.wait(path, 3)
    assert.deepEqual([failed.length, new Set(failed.map((one) => one.id)).size], [3, 1])
    const shown = dataOf(await world.acme.owner.get(where))
    assert.deepEqual([shown['paused_for'], shown['failures']], ['failing', 3])
    const [lost] = await world.deliveries(world.acme.owner, where)
    const one = `${where}/deliveries/${lost?.['id'] as unknown as string}`
    assert.deepEqual([lost?.['state'], lost?.['last_status'], lost?.['last_error']], ['failed', 500, 'refused'])
    const log = dataOf(await world.acme.owner.get(one))['attempt_log'] as unknown as readonly Body[]
    assert.deepEqual(
      log.map(({ status }) => status),
      [500, 500, 500],
    )
    assert.deepEqual(refusalOf(await world.acme.owner.post(`${one}/replay`)), {
      status: 409,
      code: 4094,
      reason: 'webhook_paused',
    })
    world.receiver.answers.delete(path)
    dataOf(await world.acme.owner.post(`${where}/resume`))
    dataOf(await world.acme.owner.post(`${one}/replay`))
    const [, , , again] = await world.receiver.wait(path, 4)
    assert.equal(again?.id, lost?.['id'])
    await until(async () => (await world.shownAt(one))['state'] === 'delivered')
    assert.equal(dataOf(await world.acme.owner.get(where))['failures'], 0)
  })

  it('are paused when their server wants nothing more, and their owner is told', async () => {
    const { api, id: userId } = await world.platform.createUser(world.acme, 'keeper@acme.test', ['tenant_admin'])
    const path = world.fresh()
    const { id } = await world.add(api, '/tenant/webhooks', path, { name: 'Ledger' })
    world.receiver.answers.set(path, 410)
    await world.cause()
    const told = async (): Promise<readonly Body[]> =>
      dataOf(await api.get('/notifications?source=webhooks'))['items'] as unknown as readonly Body[]
    await until(async () => (await told()).length === 1)
    const [notice] = await told()
    assert.deepEqual(
      [notice?.['title'], notice?.['link'], notice?.['kind'], world.receiver.at(path).length, userId > 0],
      ['The web hook “Ledger” is paused', `/tenant/webhooks/${id}`, 'webhooks.paused', 1, true],
    )
    await world.cause()
    const where = `/tenant/webhooks/${id}`
    assert.deepEqual(stateOf(await world.deliveries(api, where)), ['failed'])
    world.receiver.answers.delete(path)
    dataOf(await api.post(`${where}/resume`))
    const replayed = await api.post(`${where}/replay`, { from: new Date(Date.now() - 60_000).toISOString() })
    assert.deepEqual(dataOf(replayed), { replayed: 1 })
    await world.receiver.wait(path, 2)
  })

  it('are tried at any time with what never happened, and paused by hand they get nothing else', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    assert.equal(dataOf(await world.acme.owner.post(`${where}/pause`))['paused_for'], 'asked')
    await world.cause()
    const tested = dataOf(await world.acme.owner.post(`${where}/test`))
    assert.deepEqual(
      [tested['state'], tested['last_status'], world.receiver.at(path).map(({ body }) => body.type)],
      ['delivered', 204, ['webhook.test']],
    )
    world.receiver.answers.set(path, 302)
    const refused = dataOf(await world.acme.owner.post(`${where}/test`))
    assert.deepEqual([refused['state'], refused['last_status'], refused['last_error']], ['failed', 302, 'refused'])
    assert.deepEqual(stateOf(await world.deliveries(world.acme.owner, where)), ['failed', 'delivered'])
  })

  it('sign with the secret before as well while its grace lasts, and at another host with a new one alone', async () => {
    const path = world.fresh()
    const { id, secret } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    const test = async () => {
      dataOf(await world.acme.owner.post(`${where}/test`))
      return world.receiver.at(path).at(-1) ?? assert.fail()
    }
    const renewed = dataOf(await world.acme.owner.post(`${where}/secret`, { grace_hours: 1 })) as unknown as Hook & {
      previous_until: string
    }
    const both = await test()
    assert.deepEqual(both.signatures, [signatureOf(renewed.secret, both), signatureOf(secret, both)])
    assert.ok(Date.parse(renewed.previous_until) > Date.now())
    const last = dataOf(await world.acme.owner.post(`${where}/secret`, { grace_hours: 0 })) as unknown as Hook
    const alone = await test()
    assert.deepEqual(alone.signatures, [signatureOf(last.secret, alone)])
    const same = dataOf(await world.acme.owner.put(where, { url: world.receiver.url(path) }))
    assert.equal('secret' in same, false)
    const moved = dataOf(
      await world.acme.owner.put(where, { url: world.receiver.url(path, 'localhost') }),
    ) as unknown as Hook
    const elsewhere = await test()
    assert.deepEqual(elsewhere.signatures, [signatureOf(moved.secret, elsewhere)])
    assert.notEqual(moved.secret, last.secret)
  })

  it('are given up alone where others came through meanwhile', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path, {
      events: ['config.*', 'announcement.*'],
    })
    const where = `/tenant/webhooks/${id}`
    let refused = 0
    world.receiver.answers.set(path, (type, response) => {
      const answer = (status: number): unknown => response.writeHead(status).end()
      if (type !== 'config.updated') return void answer(204)
      refused += 1
      if (refused !== 2) return void answer(500)
      void until(async () => (await world.deliveries(world.acme.owner, where, '?state=delivered')).length === 1).then(
        () => answer(500),
      )
    })
    await world.cause()
    await world.receiver.wait(path, 2)
    dataOf(await world.acme.owner.post('/tenant/announcements', { title: { default: 'News' } }), 201)
    await until(async () => (await world.deliveries(world.acme.owner, where, '?state=failed')).length === 1)
    assert.deepEqual([refused, (await world.shownAt(where))['state']], [3, 'active'])
  })

  it('are sent again once, however many ask at the same time', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    await world.cause()
    await until(async () => (await world.deliveries(world.acme.owner, where, '?state=delivered')).length === 1)
    const [delivered] = await world.deliveries(world.acme.owner, where)
    const one = `${where}/deliveries/${delivered?.['id'] as unknown as string}`
    const asked = Promise.withResolvers<undefined>()
    world.receiver.answers.set(path, (_, response) => void asked.promise.then(() => response.writeHead(204).end()))
    await Promise.all(Array.from({ length: 6 }, async () => dataOf(await world.acme.owner.post(`${one}/replay`))))
    asked.resolve(undefined)
    await until(async () => (await world.shownAt(one))['state'] === 'delivered')
    assert.equal(world.receiver.at(path).length, 2)
  })

  it('are taken by any 2xx, whatever comes behind it', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const test = async (): Promise<unknown> => {
      const { state, last_status: status } = dataOf(await world.acme.owner.post(`/tenant/webhooks/${id}/test`))
      return [state, status]
    }
    world.receiver.answers.set(path, (_, response) => response.writeHead(200).end(Buffer.alloc(200_000, 'x')))
    const long = await test()
    world.receiver.answers.set(path, (_, response) => void response.writeHead(202).write('and so on'))
    assert.deepEqual(
      [long, await test()],
      [
        ['delivered', 200],
        ['delivered', 202],
      ],
    )
  })

  it('of an event that is in no table any more are nobody’s', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    await insert(id, { event: 'none.such', state: 'failed' })
    const where = `/tenant/webhooks/${id}`
    const replayed = await world.acme.owner.post(`${where}/replay`, {
      from: new Date(Date.now() - 60_000).toISOString(),
    })
    assert.deepEqual(dataOf(replayed), { replayed: 1 })
    await until(async () => (await world.deliveries(world.acme.owner, where, '?state=skipped')).length === 1)
    assert.deepEqual(world.receiver.at(path), [])
  })

  it('of which too many wait pause their hook', async () => {
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', world.fresh())
    const { id: quiet } = await world.add(world.acme.owner, '/tenant/webhooks', world.fresh())
    for (const hook of [id, id, id, quiet]) await insert(hook, {})
    const { kernel } = world.platform.test
    const { knex: db } = runningKernel(world.platform).database
    await sweepDeliveries({ db, jobs: kernel.services.get(jobs), limits: { mostWaiting: 2 } })
    const shown = await Promise.all([id, quiet].map((hook) => world.shownAt(`/tenant/webhooks/${hook}`)))
    assert.deepEqual(
      shown.map((hook) => hook['paused_for']),
      ['failing', null],
    )
  })

  it('have four signatures at most, those whose grace lasts, and none without a secret', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    const secrets: string[] = []
    for (let n = 0; n < 6; n += 1) {
      const { secret } = dataOf(await world.acme.owner.post(`${where}/secret`, { grace_hours: 168 })) as unknown as Hook
      secrets.unshift(secret)
    }
    dataOf(await world.acme.owner.post(`${where}/test`))
    const [got] = await world.receiver.wait(path)
    assert.ok(got)
    assert.deepEqual(
      got.signatures,
      secrets.slice(0, 4).map((secret) => signatureOf(secret, got)),
    )
    // A shorter grace is meant for all that were renewed before, and what is over signs no more.
    const hour = dataOf(await world.acme.owner.post(`${where}/secret`, { grace_hours: 1 })) as unknown as Hook
    const before = () => rowsOf('webhook_secrets').where({ webhook_id: id }).whereNotNull('expires_at')
    const ends = (await before().pluck('expires_at')) as readonly Date[]
    assert.deepEqual(new Set(ends.map((end) => end.getTime() <= Date.now() + 3_600_000)), new Set([true]))
    await before().update({ expires_at: new Date(0) })
    dataOf(await world.acme.owner.post(`${where}/test`))
    const [, alone = assert.fail()] = await world.receiver.wait(path, 2)
    assert.deepEqual(alone.signatures, [signatureOf(hour.secret, alone)])
    await rowsOf('webhook_secrets').where({ webhook_id: id }).delete()
    const tested = dataOf(await world.acme.owner.post(`${where}/test`))
    assert.deepEqual([tested['last_error'], world.receiver.at(path).length], ['secret_unreadable', 2])
  })
})
