// @both-back-ends
import assert from 'node:assert/strict'
import { runningKernel } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { dataOf } from '../../support/platform.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { serverOf, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'
import { hostSecrets } from '../hosts/world.ts'
import { notify, pluginsWith } from './world.ts'

const titlesOf = ({ frames }: SocketClient): readonly unknown[] =>
  frames.filter(({ type }) => type === 'event').map(({ data }) => data?.['title'])
const lastIdOf = ({ frames }: SocketClient): string =>
  frames.filter(({ type }) => type === 'event').at(-1)?.id ?? assert.fail('no event came')

describe('a client that was away', () => {
  const resources = new AsyncDisposableStack()
  let platform: TestPlatform
  let acme: TestTenant
  /** Another host where there is Redis, behind a wire that tests cut; the same one otherwise. */
  let second: { readonly test: TestKernel; readonly wire: TcpProxy | undefined }
  before(async () => {
    platform = resources.use(await startTestPlatform({ plugins: pluginsWith(), env: hostSecrets }))
    acme = await platform.createTenant('acme')
    const { databaseUrl, namespace } = platform.test
    const redisUrl = testRedisUrl()
    if (redisUrl === undefined) second = { test: platform.test, wire: undefined }
    else {
      const wire = resources.use(await startTcpProxy(serverOf(redisUrl)))
      const env = { ...hostSecrets, REDIS_URL: wire.through(redisUrl) }
      const test = resources.use(await startTestKernel({ plugins: pluginsWith(), env, databaseUrl, namespace }))
      second = { test, wire }
    }
  })
  after(() => resources.disposeAsync())

  let made = 0
  const user = () => platform.createUser(acme, `away${(made += 1)}@acme.test`, ['tenant_user'])
  const tell = async (id: number, ...titles: readonly string[]): Promise<void> => {
    for (const title of titles) await notify(platform.test, acme.id, id, title)
  }
  const at = (host: TestKernel, { api }: Awaited<ReturnType<typeof user>>, query = ''): Promise<SocketClient> =>
    SocketClient.ready(api.at(host.url), `/ws/user${query}`)

  it('gets what it missed on any host, once and in order, and then what happens', async () => {
    const one = await user()
    using client = await at(platform.test, one)
    await tell(one.id, 'a', 'b')
    await client.next('notification.created', 2)
    client.socket.terminate()
    await tell(one.id, 'c', 'd', 'e')
    using back = await at(second.test, one)
    back.send({ type: 'resume', last_id: lastIdOf(client) })
    const { count } = await back.next('resumed')
    await tell(one.id, 'f')
    await back.next('notification.created', 4)
    using other = await at(second.test, one, `?last_id=${lastIdOf(client)}`)
    await other.next('resumed')
    assert.deepEqual(
      [titlesOf(client), count, titlesOf(back), titlesOf(other)],
      [['a', 'b'], 3, ['c', 'd', 'e', 'f'], ['c', 'd', 'e', 'f']],
    )
  })

  it('loses nothing and gets nothing twice while events go on', async () => {
    const one = await user()
    const titles = Array.from({ length: 60 }, (_, n) => `t${n}`)
    const got: unknown[] = []
    let client = await at(platform.test, one)
    const telling = tell(one.id, ...titles)
    for (let n = 1; got.at(-1) !== titles.at(-1); n += 1) {
      const isWhole = (): boolean => titlesOf(client).at(-1) === titles.at(-1)
      await until(() => client.events.length > 2 || isWhole())
      // Whatever came when the connection breaks is what the client knows.
      client.socket.terminate()
      got.push(...titlesOf(client))
      client = await at(n % 2 === 0 ? platform.test : second.test, one, `?last_id=${lastIdOf(client)}`)
    }
    client.socket.terminate()
    await telling
    assert.deepEqual(got, titles)
  })

  it('reads the lists again where more was missed than is kept, and is told so once', async () => {
    const one = await user()
    using client = await at(platform.test, one)
    await tell(one.id, 'a')
    await client.next('notification.created')
    client.socket.terminate()
    const { store } = runningKernel(platform)
    const data = { id: '', title: 'x', body: '', level: 'info', link: null }
    for (let n = 0; n < 201; n += 1) {
      await store.eventLog.append(`user:${acme.id}:${one.id}`, { event: 'notification.created', ts: '', data })
    }
    using back = await at(second.test, one, `?last_id=${lastIdOf(client)}`)
    await back.next('resync')
    await tell(one.id, 'b')
    await back.next('notification.created')
    await back.pong()
    assert.deepEqual([back.frames.filter(({ type }) => type === 'resync').length, titlesOf(back)], [1, ['b']])
  })

  it('goes on from what it acknowledged, also with nothing in its memory', async () => {
    const one = await user()
    using client = await at(platform.test, one)
    client.send({ type: 'resume' })
    assert.equal((await client.next('error'))['reason'], 'no_last_id')
    await tell(one.id, 'a', 'b')
    await client.next('notification.created', 2)
    client.send({ type: 'ack', id: client.frames.find(({ data }) => data?.['title'] === 'a')?.id })
    await client.pong()
    client.socket.terminate()
    await tell(one.id, 'c')
    using back = await at(second.test, one)
    back.send({ type: 'resume' })
    await back.next('resumed')
    assert.deepEqual(titlesOf(back), ['b', 'c'])
  })

  it('hears nothing that it may not hear any more, of what it missed', async () => {
    const clerk = await platform.createUser(acme, 'clerk@acme.test', ['tenant_admin'])
    using client = await SocketClient.ready(clerk.api, '/ws/tenant')
    const { last_id: lastId } = await client.next('ready')
    await acme.owner.put('/tenant/configs/groups/tenant_security', { session_timeout: 600 })
    await client.next('config.updated')
    await acme.owner.put(`/tenant/users/${clerk.id}`, { roles: ['tenant_user'] })
    using back = await SocketClient.ready(clerk.api.at(second.test.url), `/ws/tenant?last_id=${String(lastId)}`)
    await back.next('resumed')
    assert.deepEqual(back.events, [])
  })

  it('hears on any host nothing more of what it may not hear since a moment', async () => {
    const clerk = await platform.createUser(acme, 'other.clerk@acme.test', ['tenant_admin'])
    using client = await SocketClient.ready(clerk.api.at(second.test.url), '/ws/tenant')
    const change = (minutes: number): Promise<unknown> =>
      acme.owner.put('/tenant/configs/groups/tenant_security', { session_timeout: minutes })
    await change(610)
    await client.next('config.updated')
    dataOf(await acme.owner.put(`/tenant/users/${clerk.id}`, { roles: ['tenant_user'] }))
    await change(620)
    dataOf(await acme.owner.post('/tenant/announcements', { title: { default: 'News' } }), 201)
    await client.next('announcement.published')
    assert.deepEqual([client.events, client.closed], [['config.updated', 'announcement.published'], undefined])
  })

  itOnRedis('keeps its connection while Redis is away from its host, and gets what happened meanwhile', async () => {
    const one = await user()
    using client = await at(second.test, one)
    await tell(one.id, 'a')
    await client.next('notification.created')
    second.wire?.cut()
    await tell(one.id, 'b', 'c')
    second.wire?.heal()
    await tell(one.id, 'd')
    await client.next('notification.created', 4)
    await client.pong()
    assert.deepEqual([titlesOf(client), client.closed], [['a', 'b', 'c', 'd'], undefined])
  })

  itOnRedis('is told to read the lists again where an event could not be written', async () => {
    const one = await user()
    using client = await at(platform.test, one)
    second.wire?.cut()
    await notify(second.test, acme.id, one.id, 'lost')
    second.wire?.heal()
    await client.next('resync')
    await tell(one.id, 'after')
    await client.next('notification.created')
    assert.deepEqual(titlesOf(client), ['after'])
  })

  itOnRedis('has five connections on all hosts together', async () => {
    const one = await user()
    const clients: SocketClient[] = []
    for (let n = 0; n < 6; n += 1) clients.push(await at(n % 2 === 0 ? platform.test : second.test, one))
    assert.deepEqual(await clients[0]?.end(), { code: 4409, reason: 'replaced' })
    await Promise.all(clients.slice(1).map((client) => client.pong()))
    for (const client of clients) client[Symbol.dispose]()
  })

  it('is told when to come back when its host stops, each at another time', async () => {
    const some = await Promise.all(Array.from({ length: 4 }, user))
    const clients = await Promise.all(some.map((one) => at(second.test, one)))
    const stopped = second.test === platform.test ? platform.test : second.test
    const ended = stopped[Symbol.asyncDispose]()
    const closes = await Promise.all(clients.map((client) => client.end()))
    const waits = clients.map(({ frames }) => Number(frames.at(-1)?.['retry_after_ms']))
    await ended
    assert.deepEqual(
      [closes, new Set(waits).size > 1, waits.every((wait) => wait >= 1_000 && wait <= 5_000)],
      [waits.map((wait) => ({ code: 1012, reason: `retry_after_ms=${wait}` })), true, true],
    )
  })
})
