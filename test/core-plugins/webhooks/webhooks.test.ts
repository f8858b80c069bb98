import assert from 'node:assert/strict'
import { notifier } from '../../../core-plugins/notifications/contract.ts'
import type { Body } from '../../support/api.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { HookWorld, signatureOf, type Hook } from './world.ts'

describe('web hooks', () => {
  let world: HookWorld
  before(async () => {
    world = await HookWorld.start()
  })
  after(() => world[Symbol.asyncDispose]())

  it('of a tenant get its events, signed as Standard Webhooks has it, and nobody else’s', async () => {
    const path = world.fresh()
    const { secret, id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    await world.cause(world.other)
    await world.cause()
    const [first, ...more] = await world.receiver.wait(path)
    assert.ok(first)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(
      [more, first.signatures, first.body.type, first.body.tenant_id, first.body.data],
      [
        [],
        [signatureOf(secret, first)],
        'config.updated',
        world.acme.id,
        { group: 'tenant_security', keys: ['session_timeout'] },
      ],
    )
    assert.ok(Math.abs(Date.now() / 1000 - Number(first.timestamp)) < 60)
    const where = `/tenant/webhooks/${id}`
    await until(async () => (await world.deliveries(world.acme.owner, where, '?state=delivered')).length === 1)
    const [delivery] = await world.deliveries(world.acme.owner, where)
    assert.deepEqual([delivery?.['id'], delivery?.['attempts'], delivery?.['last_status']], [first.id, 1, 204])
    const shown = dataOf(await world.acme.owner.get(where))
    assert.deepEqual([shown['url'], 'secret' in shown], [`http://127.0.0.1:${world.receiver.port}/…`, false])
  })

  it('of the platform get its own events', async () => {
    const path = world.fresh()
    await world.add(world.platform.admin, '/admin/webhooks', path, { events: ['tenant.created'] })
    const { id } = await world.platform.createTenant('newcomer')
    const [got] = await world.receiver.wait(path)
    assert.deepEqual(
      [got?.body.type, got?.body.tenant_id, got?.body.data],
      ['tenant.created', 0, { tenant_id: id, code: 'newcomer' }],
    )
  })

  it('of a user get the own notifications alone', async () => {
    const user = await world.platform.createUser(world.acme, 'user@acme.test', ['tenant_user'])
    const path = world.fresh()
    const hook = { name: 'Mine', url: world.receiver.url(path) }
    assert.equal((await user.api.post('/notifications/webhooks', { ...hook, events: ['*'] })).status, 422)
    const { secret } = dataOf(await user.api.post('/notifications/webhooks', hook), 201) as unknown as Hook
    const send = (userId: number, title: string) =>
      world.platform.test.kernel.services
        .get(notifier)
        .send({ tenantId: world.acme.id, userId, title, source: 'system' })
    await send(world.acme.ownerId, 'Not yours')
    dataOf(await user.api.patch('/preferences', { notification_channels: { system: { webhook: false } } }))
    await send(user.id, 'Not so')
    dataOf(await user.api.patch('/preferences', { notification_channels: {} }))
    await send(user.id, 'Yours')
    const [got, ...more] = await world.receiver.wait(path)
    assert.ok(got)
    assert.deepEqual([more, got.body.type, got.body.data['title']], [[], 'notification.created', 'Yours'])
    assert.deepEqual(got.signatures, [signatureOf(secret, got)])
    assert.equal(dataOf(await world.acme.owner.get('/notifications/webhooks'))['total'], 0)
  })

  it('get what passes their filter', async () => {
    const path = world.fresh()
    await world.add(world.acme.owner, '/tenant/webhooks', path, {
      events: ['*'],
      filter: { group: ['tenant_basic', 'tenant_login'] },
    })
    await world.cause()
    await configure(world.acme.owner, 'tenant', 'tenant_basic', { icp: 'ICP 1' })
    const got = await world.receiver.wait(path)
    assert.deepEqual(
      got.map(({ body }) => body.data['group']),
      ['tenant_basic'],
    )
  })

  it('lead to the public internet alone, and by https; what they are asked for must be there', async () => {
    const refused = async (more: object): Promise<unknown> => {
      const wish = { name: 'a', url: world.receiver.url('/a'), events: ['config.updated'], ...more }
      const { body } = await world.acme.owner.post('/tenant/webhooks', wish)
      return [
        body['code'],
        (body['errors'] as unknown as readonly Body[] | undefined)?.map(({ field, rule }) => [field, rule]),
      ]
    }
    assert.deepEqual(
      [
        await refused({ url: 'http://127.0.0.1:1/' }),
        await refused({ url: 'https://169.254.169.254/latest' }),
        await refused({ url: 'http://192.0.43.8/' }),
        await refused({ url: 'https://user:secret@192.0.43.8/' }),
        await refused({ url: 'ftp://192.0.43.8/' }),
        await refused({ events: ['none.such'] }),
        await refused({ events: [] }),
        await refused({ events: ['notification.created'] }),
      ],
      [
        ...[
          [4220, [['url', 'address_forbidden']]],
          [4220, [['url', 'address_forbidden']]],
        ],
        ...[
          [4220, [['url', 'https']]],
          [4220, [['url', 'format']]],
          [4220, [['url', 'format']]],
        ],
        ...[
          [4220, [['events', 'known']]],
          [4220, [['events', 'required']]],
          [4220, [['events', 'known']]],
        ],
      ],
    )
  })

  it('are there for those who may, twenty at most, and told of in the audit log without a secret', async () => {
    const { api } = await world.platform.createUser(world.acme, 'plain@acme.test', ['tenant_user'])
    assert.equal((await api.get('/tenant/webhooks')).body['code'], 4031)
    const { id } = await world.add(world.other.owner, '/tenant/webhooks', world.fresh())
    assert.deepEqual(refusalOf(await world.acme.owner.get(`/tenant/webhooks/${id}`)), {
      status: 404,
      code: 4040,
      reason: 'webhook_not_found',
    })
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => {
        const path = world.fresh()
        return world.other.owner.post('/tenant/webhooks', { name: path, url: world.receiver.url(path), events: ['*'] })
      }),
    )
    const refused = answers.filter(({ status }) => status !== 201).map(refusalOf)
    assert.deepEqual(
      refused,
      Array.from({ length: 5 }, () => ({ status: 400, code: 4002, reason: 'webhooks_most' })),
    )
    const page = dataOf(await world.other.owner.get('/tenant/webhooks?page_size=5&q=hook&sort=name&state=active'))
    assert.deepEqual([page['total'], (page['items'] as unknown as readonly Body[]).length], [20, 5])
    dataOf(await world.other.owner.delete(`/tenant/webhooks/${id}`))
    const lines = dataOf(await world.other.owner.get(`/tenant/audit-logs?target=webhook:${id}`))[
      'items'
    ] as unknown as readonly Body[]
    assert.deepEqual(
      lines.map(({ action }) => action),
      ['webhook.deleted', 'webhook.created'],
    )
    assert.doesNotMatch(JSON.stringify(lines), /whsec_/)
    const kinds = dataOf(await world.other.owner.get('/tenant/webhooks/events'))['items'] as unknown as readonly Body[]
    assert.ok(kinds.map(({ name }) => name as unknown).includes('config.updated'))
  })

  it('leave with their tenant', async () => {
    const gone = await world.platform.createTenant('gone')
    const path = world.fresh()
    await world.add(gone.owner, '/tenant/webhooks', path)
    await world.cause(gone)
    await world.receiver.wait(path)
    dataOf(await world.platform.admin.delete(`/admin/tenants/${gone.id}`))
    const { knex } = runningKernel(world.platform).database
    const rows = async (table: string): Promise<number> =>
      (await knex(table).queryContext({ tenant: 'all' }).where({ tenant_id: gone.id }).select('id')).length
    const tables = ['webhooks', 'webhook_secrets', 'webhook_deliveries']
    await until(async () => (await Promise.all(tables.map(rows))).every((count) => count === 0))
  })

  it('keep what nobody can use elsewhere: a secret that was put beside another host opens nothing', async () => {
    const path = world.fresh()
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', path)
    const { knex } = runningKernel(world.platform).database
    await knex('webhooks').queryContext({ tenant: 'all' }).where({ id }).update({ host: 'evil.test' })
    await knex('webhook_secrets')
      .queryContext({ tenant: 'all' })
      .where({ webhook_id: id })
      .update({ host: 'evil.test' })
    const tested = dataOf(await world.acme.owner.post(`/tenant/webhooks/${id}/test`))
    assert.deepEqual([tested['last_error'], world.receiver.at(path).length], ['secret_unreadable', 0])
  })
})
