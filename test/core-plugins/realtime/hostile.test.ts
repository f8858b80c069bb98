import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { runningKernel } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { until } from '../../support/until.ts'
import { notify, pluginsWith } from './world.ts'

const kb = 1024

/** A client that writes its own bytes. */
class RawClient implements Disposable {
  readonly socket: Socket
  /** The last of what came. */
  received = Buffer.alloc(0)
  bytes = 0
  isClosed = false

  constructor(url: string, path: string, headers: readonly string[]) {
    const { hostname, port } = new URL(url)
    this.socket = connect(Number(port), hostname)
    const key = randomBytes(16).toString('base64')
    const upgrade = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${key}`,
    ]
    this.socket.write(
      [`GET ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, ...upgrade, ...headers, '', ''].join('\r\n'),
    )
    this.socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data]).subarray(-64 * kb)
      this.bytes += data.length
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => (this.isClosed = true))
  }

  async opened(): Promise<void> {
    await until(() => this.received.includes('\r\n\r\n'))
  }

  /** A masked frame with a mask of zeros. */
  frame(opcode: number, payload: Buffer, { isFinal = true, isCompressed = false } = {}): void {
    const head = Buffer.alloc(payload.length < 126 ? 2 : 4)
    head[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode
    head[1] = 0x80 | Math.min(payload.length, 126)
    if (head.length === 4) head.writeUInt16BE(payload.length, 2)
    this.socket.write(Buffer.concat([head, Buffer.alloc(4), payload]))
  }

  /** Codes of the closes in what came. */
  get closeCode(): number | undefined {
    const at = this.received.lastIndexOf(0x88)
    return at === -1 || at + 4 > this.received.length ? undefined : this.received.readUInt16BE(at + 2)
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}

describe('hostile clients of WebSockets', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let bearer: readonly string[]
  before(async () => {
    const limits = { perAddress: 12, waitingPerAddress: 3, authMilliseconds: 1500, bufferedBytes: 256 * kb }
    platform = await startTestPlatform({ plugins: pluginsWith(limits) })
    acme = await platform.createTenant('acme')
    bearer = [`Authorization: Bearer ${acme.owner.token ?? ''}`]
  })
  after(() => platform[Symbol.asyncDispose]())

  const raw = (headers: readonly string[] = bearer): RawClient => new RawClient(platform.test.url, '/ws/user', headers)

  it('that open more than five of a user lose the oldest first', async () => {
    const { id, api } = await platform.createUser(acme, 'many@acme.test', ['tenant_user'])
    const clients: SocketClient[] = []
    for (let n = 0; n < 6; n += 1) clients.push(await SocketClient.ready(api, n % 2 === 0 ? '/ws/user' : '/ws/tenant'))
    assert.deepEqual(await clients[0]?.end(), { code: 4409, reason: 'replaced' })
    await notify(platform.test, acme.id, id, 'hi')
    await clients[2]?.next('notification.created')
    assert.deepEqual(
      clients.map(({ closed }) => closed?.code),
      [4409, undefined, undefined, undefined, undefined, undefined],
    )
    for (const client of clients) client[Symbol.dispose]()
  })

  it('that send a message of 1 MB are closed with 1009', async () => {
    using client = await SocketClient.ready(acme.owner, '/ws/user')
    client.send('x'.repeat(kb * kb))
    assert.equal((await client.end()).code, 1009)
  })

  it('that send one in pieces are closed at the same size', async () => {
    using client = raw()
    await client.opened()
    client.frame(1, Buffer.alloc(32 * kb, 'x'), { isFinal: false })
    client.frame(0, Buffer.alloc(32 * kb, 'x'), { isFinal: false })
    client.frame(0, Buffer.alloc(1, 'x'), { isFinal: false })
    await until(() => client.isClosed)
    assert.equal(client.closeCode, 1009)
  })

  it('that send pieces without an end are closed with 1008', async () => {
    using client = raw()
    await client.opened()
    client.frame(1, Buffer.alloc(0), { isFinal: false })
    for (let n = 0; n < 200; n += 1) client.frame(0, Buffer.alloc(0), { isFinal: false })
    await until(() => client.isClosed)
    assert.equal(client.closeCode, 1008)
  })

  it('that compress are not understood: a small frame never becomes a large one', async () => {
    using client = raw([...bearer, 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'])
    await client.opened()
    assert.equal(/sec-websocket-extensions/i.test(client.received.toString('latin1')), false)
    client.frame(1, deflateRawSync(Buffer.alloc(32 * kb * kb)).subarray(0, 60 * kb), { isCompressed: true })
    await until(() => client.isClosed)
    assert.equal(client.closeCode, 1002)
  })

  it('that talk too much are closed with 4429, by frames and by pings', async () => {
    using client = await SocketClient.ready(acme.owner, '/ws/user')
    for (let n = 0; n < 31; n += 1) client.send({ type: 'ping' })
    using pinging = await SocketClient.ready(acme.owner, '/ws/user')
    for (let n = 0; n < 31; n += 1) pinging.socket.ping()
    assert.deepEqual([(await client.end()).code, (await pinging.end()).code], [4429, 4429])
  })

  it('that say nothing are closed with 4408', async () => {
    using client = new SocketClient(`${platform.test.url}/ws/user`)
    assert.deepEqual(await client.end(), { code: 4408, reason: 'auth_timeout' })
  })

  it('that do not read are closed, and what waits for them is bounded', async () => {
    const { id, api } = await platform.createUser(acme, 'slow@acme.test', ['tenant_user'])
    using slow = new RawClient(platform.test.url, '/ws/user', [`Authorization: Bearer ${api.token ?? ''}`])
    using quick = await SocketClient.ready(api, '/ws/user')
    await slow.opened()
    slow.socket.pause()
    const { eventLog } = runningKernel(platform).store
    const data = { id: '', title: 'x'.repeat(60 * kb), body: '', level: 'info', link: null }
    const most = 360
    for (let sent = 1; sent <= most; sent += 1) {
      await eventLog.append(`user:${acme.id}:${id}`, { event: 'notification.created', ts: '', data })
      if (sent % 3 === 0) await quick.next('notification.created', sent)
    }
    slow.socket.resume()
    await until(() => slow.isClosed)
    assert.deepEqual([slow.bytes < (most / 2) * 60 * kb, quick.closed], [true, undefined], String(slow.bytes))
  })

  it('that read slowly what they missed get all of it, and are not closed for it', async () => {
    const { id, api } = await platform.createUser(acme, 'behind@acme.test', ['tenant_user'])
    using quick = await SocketClient.ready(api, '/ws/user')
    const { last_id: last } = quick.frames[0] ?? assert.fail()
    const { eventLog } = runningKernel(platform).store
    const data = { id: '', title: 'x'.repeat(60 * kb), body: '', level: 'info', link: null }
    const many = 180
    for (let n = 0; n < many; n += 1)
      await eventLog.append(`user:${acme.id}:${id}`, { event: 'notification.created', ts: '', data })
    using slow = new RawClient(platform.test.url, `/ws/user?last_id=${String(last)}`, [
      `Authorization: Bearer ${api.token ?? ''}`,
    ])
    slow.socket.pause()
    using other = await SocketClient.ready(api, `/ws/user?last_id=${String(last)}`)
    await other.next('resumed')
    slow.socket.resume()
    await until(() => slow.bytes > many * 60 * kb && slow.received.includes('"resumed"'))
    assert.deepEqual([slow.isClosed, other.events.length], [false, many])
  })

  it('of a page of another origin are refused, whatever they bring; those of the platform are not', async () => {
    const origins = ['https://evil.test', 'null', 'file://', `${platform.test.url}.evil.test`, 'http://127.0.0.1']
    for (const origin of origins) {
      using client = SocketClient.as(acme.owner, '/ws/user', { headers: { origin, cookie: 'rt=rt_stolen' } })
      assert.deepEqual(await client.refusal(), { status: 403, code: 4030, reason: 'origin_refused' }, origin)
    }
    using own = await SocketClient.ready(acme.owner, '/ws/user', { origin: platform.test.url })
    assert.equal(own.closed, undefined)
  })

  /** Waits until there is a place again for an address. */
  const untilFree = (): Promise<void> =>
    until(async () => {
      using client = new SocketClient(`${platform.test.url}/ws/user`)
      await until(() => client.refused !== undefined || client.socket.readyState === client.socket.OPEN)
      return client.refused === undefined
    })
  const limited = { status: 429, code: 4290, reason: 'rate_limited' }

  it('are so many of one address', async () => {
    const clients = Array.from({ length: 6 }, () => new SocketClient(`${platform.test.url}/ws/user`))
    await until(() => clients.filter(({ refused }) => refused).length === 3)
    const refused = await clients.find((client) => client.refused)?.refusal()
    assert.deepEqual(refused, limited)
    for (const client of clients) client[Symbol.dispose]()
    await untilFree()
  })

  it('are so many of one address also where they have said who they are, by whatever accounts', async () => {
    const names = ['a@acme.test', 'b@acme.test', 'c@acme.test']
    const users = await Promise.all(names.map((name) => platform.createUser(acme, name, ['tenant_user'])))
    const clients: SocketClient[] = []
    for (const { api } of [...users, ...users, ...users, ...users, users[0]!]) {
      const client = SocketClient.as(api, '/ws/user')
      clients.push(client)
      await until(() => client.refused !== undefined || client.frames.length > 0)
    }
    const refused = clients.find((client) => client.refused) ?? assert.fail('all of them were taken')
    assert.deepEqual(await refused.refusal(), limited)
    for (const client of clients) client[Symbol.dispose]()
    await untilFree()
  })

  it('that shake hands wrongly get an answer, and their place is free again', async () => {
    for (let n = 0; n < 5; n += 1) {
      using client = new RawClient(platform.test.url, '/ws/user', ['Sec-WebSocket-Version: 7'])
      await until(() => client.isClosed)
      assert.match(client.received.toString(), /^HTTP\/1\.1 400 [^]*"code":4000/)
    }
    assert.ok(await notify(platform.test, acme.id, acme.ownerId, 'still here'))
  })
})
