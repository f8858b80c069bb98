// @both-back-ends
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Api } from '../../support/api.ts'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { until } from '../../support/until.ts'
import { openingOf, startSocketWorld, ticketOf, wrongFrames, type SocketWorld } from './sockets-world.ts'

describe('WebSockets', () => {
  let world: SocketWorld
  let platform: TestPlatform
  let acme: TestTenant
  let url: string
  before(async () => {
    world = await startSocketWorld()
    platform = world.platform
    acme = world.acme
    url = platform.test.url
  })
  after(() => world[Symbol.asyncDispose]())

  describe('know who opens them', () => {
    it('by an Authorization header', async () => {
      const { id, api } = await world.user()
      using client = SocketClient.as(api, '/ws/user')
      const { type, heartbeat_seconds, session_id, last_id, expires_at } = await client.next('ready')
      const notification = await world.tell(id)
      const { data } = await client.next('notification.created')
      assert.deepEqual(
        [type, heartbeat_seconds, typeof session_id, typeof last_id, typeof expires_at, data],
        [
          ...['ready', 25, 'string', 'string', 'string'],
          { id: notification, title: 'hi', body: '', level: 'info', link: null, quiet: false },
        ],
      )
    })

    it('by a ticket, once', async () => {
      const { api } = await world.user()
      const ticket = await ticketOf(api)
      using client = new SocketClient(`${url}/ws/user?ticket=${ticket}`)
      await client.next('ready')
      using again = new SocketClient(`${url}/ws/user?ticket=${ticket}`)
      assert.deepEqual(await again.end(), { code: 4401, reason: 'unauthenticated' })
    })

    it('by the first frame', async () => {
      const { api } = await world.user()
      using client = new SocketClient(`${url}/ws/user`)
      client.socket.once('open', () => client.send({ type: 'auth', token: api.token }))
      await client.next('ready')
      using other = new SocketClient(`${url}/ws/user`)
      other.socket.once('open', () => other.send({ type: 'subscribe', topics: ['*'] }))
      assert.deepEqual(await other.end(), { code: 4401, reason: 'unauthenticated' })
    })

    it('never by a token in the address', async () => {
      const { api } = await world.user()
      for (const name of ['token', 'access_token', 'auth', 'authorization', 'jwt']) {
        using client = new SocketClient(`${url}/ws/user?${name}=${api.token ?? ''}`)
        assert.deepEqual(await client.refusal(), { status: 400, code: 4000, reason: 'token_in_address' }, name)
      }
    })

    it('and refuse a token that is none', async () => {
      using client = SocketClient.as(platform.test.api.as('made.up.token'), '/ws/user')
      assert.deepEqual(await client.end(), { code: 4401, reason: 'token_invalid' })
    })

    it('and which namespaces are theirs', async () => {
      const { api } = await world.user()
      const opened = await Promise.all(
        [
          [platform.admin, '/ws/admin'],
          [platform.admin, '/ws/user'],
          [platform.admin, '/ws/tenant'],
          [api, '/ws/admin'],
          [api, '/ws/tenant'],
        ].map(([by, path]) => openingOf(by as Api, path as string)),
      )
      assert.deepEqual(opened, ['open', 'open', 4403, 4403, 'open'])
    })
  })

  describe('answer', () => {
    it('ping, what they do not understand, and topics', async () => {
      const { id, api } = await world.user()
      using client = await SocketClient.ready(api, '/ws/user')
      client.send({ type: 'ping' })
      await client.next('pong')
      for (const wrong of wrongFrames) client.send(wrong)
      await client.next('error', 5)
      const codes = client.frames.filter(({ type }) => type === 'error').map(({ code }) => code)
      client.send(Buffer.from('{"type":"ping"}'))
      client.send({ type: 'subscribe', topics: ['notification.read'] })
      await client.next('subscribed')
      await world.tell(id)
      dataOf(await api.post('/notifications/read-all'))
      await client.next('notification.read')
      assert.deepEqual([codes, client.events], [[4001, 4001, 4220, 4220, 4220], ['notification.read']])
    })

    it('ping with up to where everything has come, although nothing came', async () => {
      const [quiet, other] = [await world.user(), await world.user()]
      using client = await SocketClient.ready(quiet.api, '/ws/user')
      const { last_id: first } = client.frames[0] ?? assert.fail()
      await world.tell(other.id)
      await until(async () => {
        await client.pong()
        return String(client.frames.at(-1)?.['last_id']) > String(first)
      })
      client.socket.terminate()
      await world.tell(quiet.id, 'while away')
      using back = await SocketClient.ready(quiet.api, `/ws/user?last_id=${String(client.frames.at(-1)?.['last_id'])}`)
      assert.deepEqual([(await back.next('resumed'))['count'], back.events], [1, ['notification.created']])
    })

    it('a path that is none, and a request that asks for no socket, as any other', async () => {
      using client = new SocketClient(`${url}/ws/nothing`)
      assert.deepEqual(await client.refusal(), { status: 404, code: 4044, reason: 'route_not_found' })
      const plain = refusalOf(await platform.test.api.get('/ws/user'))
      assert.deepEqual(plain, { status: 404, code: 4044, reason: 'route_not_found' })
      const asked = get(`${url}/api/public/health`, { headers: { upgrade: 'h2c', connection: 'upgrade' } })
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      assert.equal(answer.statusCode, 200)
    })
  })

  describe('end', () => {
    it('with their session, and say so to its connections alone', async () => {
      const { id, api } = await world.user()
      const other = await platform.signIn(acme.id, id)
      using client = await SocketClient.ready(api, '/ws/user')
      using back = await SocketClient.ready(api, '/ws/tenant')
      using elsewhere = await SocketClient.ready(other, '/ws/user')
      await api.post('/auth/logout')
      assert.deepEqual(
        [await client.end(), (await client.next('session.revoked')).data, (await back.end()).code],
        [{ code: 4401, reason: 'token_revoked' }, { cause: 'logout' }, 4401],
      )
      elsewhere.send({ type: 'ping' })
      await elsewhere.next('pong')
      assert.deepEqual([elsewhere.closed, elsewhere.events], [undefined, []])
    })

    it('with their token, unless they bring another', async () => {
      const { id, api } = await world.user()
      using client = await SocketClient.ready(api.as(await world.tokenFor(id, 2)), '/ws/user')
      using kept = await SocketClient.ready(api.as(await world.tokenFor(id, 2)), '/ws/user')
      kept.send({ type: 'auth', token: api.token })
      await kept.next('renewed')
      assert.deepEqual(await client.end(), { code: 4401, reason: 'token_expired' })
      await world.tell(id)
      await kept.next('notification.created')
      assert.equal(kept.closed, undefined)
    })

    it('for nobody else', async () => {
      const { api } = await world.user()
      const { api: other } = await world.user()
      using client = await SocketClient.ready(api, '/ws/user')
      client.send({ type: 'auth', token: other.token })
      const { code, reason } = await client.next('error')
      client.send({ type: 'auth', token: 'made.up.token' })
      assert.deepEqual([code, reason, (await client.end()).code], [4030, 'other_caller', 4401])
    })

    it('when their user is disabled', async () => {
      const { id, api } = await world.user()
      using client = await SocketClient.ready(api, '/ws/user')
      dataOf(await acme.owner.put(`/tenant/users/${id}`, { status: 'disabled' }))
      assert.deepEqual([(await client.end()).code, client.events], [4401, ['session.revoked']])
    })

    it('when their tenant is disabled', async () => {
      const other = await platform.createTenant('gone')
      using client = await SocketClient.ready(other.owner, '/ws/user')
      dataOf(await platform.admin.put(`/admin/tenants/${other.id}`, { status: 'disabled' }))
      assert.deepEqual(await client.end(), { code: 4403, reason: 'tenant_inactive' })
    })
  })

  describe('bring what their user may hear at the moment', () => {
    it('and no more once a role is taken away', async () => {
      const { id, api } = await world.user(['tenant_admin'])
      using client = await SocketClient.ready(api, '/ws/tenant')
      const change = (minutes: number): Promise<unknown> =>
        acme.owner.put('/tenant/configs/groups/tenant_security', { session_timeout: minutes })
      await change(600)
      await client.next('config.updated')
      dataOf(await acme.owner.put(`/tenant/users/${id}`, { roles: ['tenant_user'] }))
      await change(700)
      using owner = await SocketClient.ready(acme.owner, '/ws/tenant')
      await change(800)
      await owner.next('config.updated')
      client.send({ type: 'ping' })
      await client.next('pong')
      assert.deepEqual([client.events, client.closed], [['config.updated'], undefined])
    })

    it('and of what is announced to some roles only what their holders are told, at the moment', async () => {
      const { id, api } = await world.user()
      using client = await SocketClient.ready(api, '/ws/tenant')
      using owner = await SocketClient.ready(acme.owner, '/ws/tenant')
      await world.announce('for others', ['tenant_admin'])
      dataOf(await acme.owner.put(`/tenant/users/${id}`, { roles: ['tenant_user', 'tenant_admin'] }))
      const meant = await world.announce('for them', ['tenant_admin'])
      await client.next('announcement.published')
      await owner.pong()
      const told = client.frames.flatMap(({ event, data }) =>
        event === 'announcement.published' ? [data?.['id']] : [],
      )
      assert.deepEqual([told, owner.events], [[meant], []])
    })

    it('and nothing of other users and tenants', async () => {
      const [one, two, other] = [await world.user(), await world.user(), await platform.createTenant('other')]
      const clients = await Promise.all(
        [one.api, two.api, other.owner, platform.admin].map((api) => SocketClient.ready(api, '/ws/user')),
      )
      await world.tell(one.id, 'for one')
      await clients[0]?.next('notification.created')
      for (const client of clients) {
        client.send({ type: 'ping' })
        await client.next('pong')
      }
      assert.deepEqual(
        clients.map(({ events }) => events),
        [['notification.created'], [], [], []],
      )
      for (const client of clients) client[Symbol.dispose]()
    })
  })

  describe('close', () => {
    it('as the plugin ends', async () => {
      const { api } = await world.user()
      using client = await SocketClient.ready(api, '/ws/user')
      for (const name of ['webhooks', 'realtime']) await platform.test.kernel.disable(name)
      assert.deepEqual(await client.end(), { code: 1001, reason: 'going_away' })
      using gone = SocketClient.as(api, '/ws/user')
      assert.equal((await gone.refusal()).status, 404)
    })
  })
})
