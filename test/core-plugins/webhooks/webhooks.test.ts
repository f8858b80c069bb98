// @both-back-ends
import assert from 'node:assert/strict'
import { notifier } from '../../../core-plugins/notifications/contract.ts'
import type { Api, Body } from '../../support/api.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { pluginsWith, signatureOf, startReceiver, type Receiver } from './world.ts'

interface Hook {
  readonly id: string
  readonly secret: string
}

describe('web hooks', function () {
  this.timeout(60_000)
  const resources = new AsyncDisposableStack()
  let receiver: Receiver
  let platform: TestPlatform
  let acme: TestTenant
  let other: TestTenant
  before(async () => {
    receiver = resources.use(await startReceiver())
    const env = { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${receiver.port},localhost:${receiver.port}` }
    const plugins = pluginsWith({ delays: [0, 0], failures: 1_000 })
    platform = resources.use(await startTestPlatform({ plugins, env }))
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
  })
  after(() => resources.disposeAsync())

  let paths = 0
  const fresh = (): string => `/hook${(paths += 1)}`
  const add = async (by: Api, where: string, path: string, more: object = {}): Promise<Hook> =>
    dataOf(
      await by.post(where, { name: path, url: receiver.url(path), events: ['config.*'], ...more }),
      201,
    ) as unknown as Hook
  const deliveries = async (by: Api, where: string, query = ''): Promise<readonly Body[]> =>
    dataOf(await by.get(`${where}/deliveries${query}`))['items'] as unknown as readonly Body[]
  let timeouts = 600
  /** Causes `config.updated` in a tenant. */
  const cause = (tenant = acme): Promise<void> =>
    configure(tenant.owner, 'tenant', 'tenant_security', { session_timeout: (timeouts += 1) })
  const shownAt = async (path: string): Promise<Readonly<Record<string, unknown>>> => dataOf(await acme.owner.get(path))
  const stateOf = (states: readonly Body[]): unknown => states.map(({ state }) => state)

  it('of a tenant get its events, signed as Standard Webhooks has it, and nobody else’s', async () => {
    const path = fresh()
    const { secret, id } = await add(acme.owner, '/tenant/webhooks', path)
    await cause(other)
    await cause()
    const [first, ...more] = await receiver.wait(path)
    assert.ok(first)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(
      [more, first.signatures, first.body.type, first.body.tenant_id, first.body.data],
      [
        [],
        [signatureOf(secret, first)],
        'config.updated',
        acme.id,
        { group: 'tenant_security', keys: ['session_timeout'] },
      ],
    )
    assert.ok(Math.abs(Date.now() / 1000 - Number(first.timestamp)) < 60)
    const where = `/tenant/webhooks/${id}`
    await until(async () => (await deliveries(acme.owner, where, '?state=delivered')).length === 1)
    const [delivery] = await deliveries(acme.owner, where)
    assert.deepEqual([delivery?.['id'], delivery?.['attempts'], delivery?.['last_status']], [first.id, 1, 204])
    const shown = dataOf(await acme.owner.get(where))
    assert.deepEqual([shown['url'], 'secret' in shown], [`http://127.0.0.1:${receiver.port}/…`, false])
  })

  it('of the platform get its own events', async () => {
    const path = fresh()
    await add(platform.admin, '/admin/webhooks', path, { events: ['tenant.created'] })
    const { id } = await platform.createTenant('newcomer')
    const [got] = await receiver.wait(path)
    assert.deepEqual(
      [got?.body.type, got?.body.tenant_id, got?.body.data],
      ['tenant.created', 0, { tenant_id: id, code: 'newcomer' }],
    )
  })

  it('of a user get the own notifications alone', async () => {
    const user = await platform.createUser(acme, 'user@acme.test', ['tenant_user'])
    const path = fresh()
    const hook = { name: 'Mine', url: receiver.url(path) }
    assert.equal((await user.api.post('/notifications/webhooks', { ...hook, events: ['*'] })).status, 422)
    const { secret } = dataOf(await user.api.post('/notifications/webhooks', hook), 201) as unknown as Hook
    const send = (userId: number, title: string) =>
      platform.test.kernel.services.get(notifier).send({ tenantId: acme.id, userId, title, source: 'system' })
    await send(acme.ownerId, 'Not yours')
    dataOf(await user.api.patch('/preferences', { notification_channels: { system: { webhook: false } } }))
    await send(user.id, 'Not so')
    dataOf(await user.api.patch('/preferences', { notification_channels: {} }))
    await send(user.id, 'Yours')
    const [got, ...more] = await receiver.wait(path)
    assert.ok(got)
    assert.deepEqual([more, got.body.type, got.body.data['title']], [[], 'notification.created', 'Yours'])
    assert.deepEqual(got.signatures, [signatureOf(secret, got)])
    assert.equal(dataOf(await acme.owner.get('/notifications/webhooks'))['total'], 0)
  })

  it('get what passes their filter', async () => {
    const path = fresh()
    await add(acme.owner, '/tenant/webhooks', path, {
      events: ['*'],
      filter: { group: ['tenant_basic', 'tenant_login'] },
    })
    await cause()
    await configure(acme.owner, 'tenant', 'tenant_basic', { icp: 'ICP 1' })
    const got = await receiver.wait(path)
    assert.deepEqual(
      got.map(({ body }) => body.data['group']),
      ['tenant_basic'],
    )
  })

  it('are tried again, given up, and sent again with the same id', async () => {
    const path = fresh()
    const { id } = await add(acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    receiver.answers.set(path, 500)
    await cause()
    await until(async () => (await shownAt(where))['state'] === 'paused')
    const failed = await receiver.wait(path, 3)
    assert.deepEqual([failed.length, new Set(failed.map((one) => one.id)).size], [3, 1])
    const shown = dataOf(await acme.owner.get(where))
    assert.deepEqual([shown['paused_for'], shown['failures']], ['failing', 3])
    const [lost] = await deliveries(acme.owner, where)
    const one = `${where}/deliveries/${lost?.['id'] as unknown as string}`
    assert.deepEqual([lost?.['state'], lost?.['last_status'], lost?.['last_error']], ['failed', 500, 'refused'])
    const log = dataOf(await acme.owner.get(one))['attempt_log'] as unknown as readonly Body[]
    assert.deepEqual(
      log.map(({ status }) => status),
      [500, 500, 500],
    )
    assert.deepEqual(refusalOf(await acme.owner.post(`${one}/replay`)), {
      status: 409,
      code: 4094,
      reason: 'webhook_paused',
    })
    receiver.answers.delete(path)
    dataOf(await acme.owner.post(`${where}/resume`))
    dataOf(await acme.owner.post(`${one}/replay`))
    const [, , , again] = await receiver.wait(path, 4)
    assert.equal(again?.id, lost?.['id'])
    await until(async () => (await shownAt(one))['state'] === 'delivered')
    assert.equal(dataOf(await acme.owner.get(where))['failures'], 0)
  })

  it('are paused when their server wants nothing more, and their owner is told', async () => {
    const { api, id: userId } = await platform.createUser(acme, 'keeper@acme.test', ['tenant_admin'])
    const path = fresh()
    const { id } = await add(api, '/tenant/webhooks', path, { name: 'Ledger' })
    receiver.answers.set(path, 410)
    await cause()
    const told = async (): Promise<readonly Body[]> =>
      dataOf(await api.get('/notifications?source=webhooks'))['items'] as unknown as readonly Body[]
    await until(async () => (await told()).length === 1)
    const [notice] = await told()
    assert.deepEqual(
      [notice?.['title'], notice?.['link'], notice?.['kind'], receiver.at(path).length, userId > 0],
      ['The web hook “Ledger” is paused', `/tenant/webhooks/${id}`, 'webhooks.paused', 1, true],
    )
    await cause()
    const where = `/tenant/webhooks/${id}`
    assert.deepEqual(stateOf(await deliveries(api, where)), ['failed'])
    receiver.answers.delete(path)
    dataOf(await api.post(`${where}/resume`))
    const replayed = await api.post(`${where}/replay`, { from: new Date(Date.now() - 60_000).toISOString() })
    assert.deepEqual(dataOf(replayed), { replayed: 1 })
    await receiver.wait(path, 2)
  })

  it('are tried at any time with what never happened, and paused by hand they get nothing else', async () => {
    const path = fresh()
    const { id } = await add(acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    assert.equal(dataOf(await acme.owner.post(`${where}/pause`))['paused_for'], 'asked')
    await cause()
    const tested = dataOf(await acme.owner.post(`${where}/test`))
    assert.deepEqual(
      [tested['state'], tested['last_status'], receiver.at(path).map(({ body }) => body.type)],
      ['delivered', 204, ['webhook.test']],
    )
    receiver.answers.set(path, 302)
    const refused = dataOf(await acme.owner.post(`${where}/test`))
    assert.deepEqual([refused['state'], refused['last_status'], refused['last_error']], ['failed', 302, 'refused'])
    assert.deepEqual(stateOf(await deliveries(acme.owner, where)), ['failed', 'delivered'])
  })

  it('sign with the secret before as well while its grace lasts, and at another host with a new one alone', async () => {
    const path = fresh()
    const { id, secret } = await add(acme.owner, '/tenant/webhooks', path)
    const where = `/tenant/webhooks/${id}`
    const test = async () => {
      dataOf(await acme.owner.post(`${where}/test`))
      return receiver.at(path).at(-1) ?? assert.fail()
    }
    const renewed = dataOf(await acme.owner.post(`${where}/secret`, { grace_hours: 1 })) as unknown as Hook & {
      previous_until: string
    }
    const both = await test()
    assert.deepEqual(both.signatures, [signatureOf(renewed.secret, both), signatureOf(secret, both)])
    assert.ok(Date.parse(renewed.previous_until) > Date.now())
    const last = dataOf(await acme.owner.post(`${where}/secret`, { grace_hours: 0 })) as unknown as Hook
    const alone = await test()
    assert.deepEqual(alone.signatures, [signatureOf(last.secret, alone)])
    const same = dataOf(await acme.owner.put(where, { url: receiver.url(path) }))
    assert.equal('secret' in same, false)
    const moved = dataOf(await acme.owner.put(where, { url: receiver.url(path, 'localhost') })) as unknown as Hook
    const elsewhere = await test()
    assert.deepEqual(elsewhere.signatures, [signatureOf(moved.secret, elsewhere)])
    assert.notEqual(moved.secret, last.secret)
  })

  it('keep what nobody can use elsewhere: a secret that was put beside another host opens nothing', async () => {
    const path = fresh()
    const { id } = await add(acme.owner, '/tenant/webhooks', path)
    const { knex } = runningKernel(platform).database
    await knex('webhooks').queryContext({ tenant: 'all' }).where({ id }).update({ host: 'evil.test' })
    await knex('webhook_secrets')
      .queryContext({ tenant: 'all' })
      .where({ webhook_id: id })
      .update({ host: 'evil.test' })
    const tested = dataOf(await acme.owner.post(`/tenant/webhooks/${id}/test`))
    assert.deepEqual([tested['last_error'], receiver.at(path).length], ['secret_unreadable', 0])
  })

  it('get what their maker may see at the moment: a role taken away, and a maker who is gone, end it', async () => {
    const { api, id: userId } = await platform.createUser(acme, 'clerk@acme.test', ['tenant_admin'])
    const path = fresh()
    const { id } = await add(api, '/tenant/webhooks', path)
    dataOf(await acme.owner.put(`/tenant/users/${userId}`, { roles: ['tenant_user'] }))
    await cause()
    const where = `/tenant/webhooks/${id}`
    assert.deepEqual(await deliveries(acme.owner, where), [])
    dataOf(await acme.owner.put(`/tenant/users/${userId}`, { roles: ['tenant_admin'] }))
    await cause()
    await receiver.wait(path)
    dataOf(await acme.owner.delete(`/tenant/users/${userId}`))
    await until(async () => (await shownAt(where))['paused_for'] === 'no_reader')
    dataOf(await acme.owner.post(`${where}/resume`))
    await cause()
    await receiver.wait(path, 2)
    assert.equal(receiver.at(path).length, 2)
  })

  it('lead to the public internet alone, and by https; what they are asked for must be there', async () => {
    const refused = async (more: object): Promise<unknown> => {
      const wish = { name: 'a', url: receiver.url('/a'), events: ['config.updated'], ...more }
      const { body } = await acme.owner.post('/tenant/webhooks', wish)
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
    const { api } = await platform.createUser(acme, 'plain@acme.test', ['tenant_user'])
    assert.equal((await api.get('/tenant/webhooks')).body['code'], 4031)
    const { id } = await add(other.owner, '/tenant/webhooks', fresh())
    assert.deepEqual(refusalOf(await acme.owner.get(`/tenant/webhooks/${id}`)), {
      status: 404,
      code: 4040,
      reason: 'webhook_not_found',
    })
    for (let n = 1; n < 20; n += 1) await add(other.owner, '/tenant/webhooks', fresh())
    const wish = { name: 'a', url: receiver.url('/a'), events: ['*'] }
    assert.deepEqual(refusalOf(await other.owner.post('/tenant/webhooks', wish)), {
      status: 400,
      code: 4002,
      reason: 'webhooks_most',
    })
    const page = dataOf(await other.owner.get('/tenant/webhooks?page_size=5&q=hook&sort=name&state=active'))
    assert.deepEqual([page['total'], (page['items'] as unknown as readonly Body[]).length], [20, 5])
    dataOf(await other.owner.delete(`/tenant/webhooks/${id}`))
    const lines = dataOf(await other.owner.get(`/tenant/audit-logs?target=webhook:${id}`))[
      'items'
    ] as unknown as readonly Body[]
    assert.deepEqual(
      lines.map(({ action }) => action),
      ['webhook.deleted', 'webhook.created'],
    )
    assert.doesNotMatch(JSON.stringify(lines), /whsec_/)
    const kinds = dataOf(await other.owner.get('/tenant/webhooks/events'))['items'] as unknown as readonly Body[]
    assert.ok(kinds.map(({ name }) => name as unknown).includes('config.updated'))
  })

  it('leave with their tenant', async () => {
    const gone = await platform.createTenant('gone')
    const path = fresh()
    await add(gone.owner, '/tenant/webhooks', path)
    await cause(gone)
    await receiver.wait(path)
    dataOf(await platform.admin.delete(`/admin/tenants/${gone.id}`))
    const { knex } = runningKernel(platform).database
    const rows = async (table: string): Promise<number> =>
      (await knex(table).queryContext({ tenant: 'all' }).where({ tenant_id: gone.id }).select('id')).length
    const tables = ['webhooks', 'webhook_secrets', 'webhook_deliveries']
    await until(async () => (await Promise.all(tables.map(rows))).every((count) => count === 0))
  })
})
