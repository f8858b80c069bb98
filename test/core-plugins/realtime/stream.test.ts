// @both-back-ends
import assert from 'node:assert/strict'
import { request } from 'undici'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { notify, pluginsWith } from './world.ts'

/** What came of a stream, line by line. */
class Stream implements Disposable {
  readonly lines: string[] = []
  isEnded = false
  readonly #abort = new AbortController()

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    void this.#read(url, headers)
  }

  get frames(): readonly Record<string, unknown>[] {
    const data = this.lines.filter((line) => line.startsWith('data: '))
    return data.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
  }

  async next(name: string): Promise<Record<string, unknown>> {
    const found = (): Record<string, unknown> | undefined =>
      this.frames.find(({ type, event }) => type === name || event === name)
    await until(() => found() !== undefined)
    return found() as Record<string, unknown>
  }

  [Symbol.dispose](): void {
    this.#abort.abort()
  }

  async #read(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    let rest = ''
    try {
      const { body } = await request(url, { headers, signal: this.#abort.signal })
      for await (const part of body) {
        const lines = (rest + String(part)).split('\n')
        rest = lines.pop() ?? ''
        this.lines.push(...lines)
      }
    } catch {
      // Aborted by the test.
    }
    this.isEnded = true
  }
}

describe('events as Server-Sent Events', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ plugins: pluginsWith({ heartbeatMilliseconds: 200 }) })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const streamOf = (token: string, path = '/events/user', headers: Readonly<Record<string, string>> = {}): Stream =>
    new Stream(platform.test.url + path, { authorization: `Bearer ${token}`, ...headers })
  const tell = (title: string): Promise<string> => notify(platform.test, acme.id, acme.ownerId, title)
  const titles = ({ frames }: Stream): unknown =>
    frames.flatMap(({ data }) => (data as { title?: string } | undefined)?.title ?? [])

  it('are the frames of the socket, and go on from Last-Event-ID', async () => {
    const token = acme.owner.token ?? ''
    using stream = streamOf(token)
    const { type, last_id: lastId } = await stream.next('ready')
    await tell('one')
    const { id } = await stream.next('notification.created')
    stream[Symbol.dispose]()
    await tell('two')
    await tell('three')
    using again = streamOf(token, '/events/user', { 'last-event-id': String(id) })
    await again.next('resumed')
    using whole = streamOf(token, `/events/user?last_id=${String(lastId)}`)
    await whole.next('resumed')
    assert.deepEqual(
      [type, titles(stream), titles(again), titles(whole)],
      ['ready', ['one'], ['two', 'three'], ['one', 'two', 'three']],
    )
    assert.ok(again.lines.includes(`id: ${String(again.frames.findLast(({ event }) => event)?.['id'])}`))
  })

  it('are opened by a ticket, once, and only in a namespace of the caller', async () => {
    const ticket = dataOf(await acme.owner.post('/auth/ws-ticket'))['ticket'] as unknown as string
    const { api } = platform.test
    using stream = new Stream(`${platform.test.url}/events/tenant?ticket=${ticket}&topics=config.*`, {})
    await stream.next('ready')
    assert.deepEqual(
      [
        refusalOf(await api.get(`/events/tenant?ticket=${ticket}`)),
        refusalOf(await api.get('/events/user')),
        refusalOf(await acme.owner.get('/events/admin')),
        refusalOf(await acme.owner.get('/events/none')).status,
        refusalOf(await acme.owner.get('/events/user', { headers: { 'last-event-id': 'x' } })).code,
        refusalOf(await acme.owner.get('/events/user?topics=%20')).code,
      ],
      [
        { status: 401, code: 4010, reason: 'unauthenticated' },
        { status: 401, code: 4010, reason: 'unauthenticated' },
        { status: 403, code: 4033, reason: 'scope_mismatch' },
        422,
        4221,
        4221,
      ],
    )
  })

  it('say now and then up to where everything has come, although nothing came', async () => {
    const { id, api } = await platform.createUser(acme, 'quiet@acme.test', ['tenant_user'])
    using stream = streamOf(api.token ?? '')
    const { last_id: first } = await stream.next('ready')
    await tell('for somebody else')
    const later = (): unknown =>
      stream.frames.find(({ type, last_id: last }) => type === 'pong' && String(last) > String(first))?.['last_id']
    await until(() => later() !== undefined)
    assert.ok(stream.lines.includes(`id: ${String(later())}`))
    await notify(platform.test, acme.id, id, 'while away')
    using back = streamOf(api.token ?? '', '/events/user', { 'last-event-id': String(later()) })
    assert.deepEqual([(await back.next('resumed'))['count'], titles(back)], [1, ['while away']])
  })

  it('end with their session', async () => {
    const { api } = await platform.createUser(acme, 'leaver@acme.test', ['tenant_user'])
    using stream = streamOf(api.token ?? '')
    await stream.next('ready')
    await api.post('/auth/logout')
    await until(() => stream.isEnded)
    assert.deepEqual(
      stream.frames.filter(({ type }) => type !== 'pong').map(({ type, event, code }) => [type, event ?? code]),
      [
        ['ready', undefined],
        ['event', 'session.revoked'],
        ['close', 4401],
      ],
    )
  })

  it('end with the host, which tells when to come back', async () => {
    using stream = streamOf(acme.owner.token ?? '')
    await stream.next('ready')
    const stopped = platform[Symbol.asyncDispose]()
    const { retry_after_ms: wait } = await stream.next('restart')
    await stopped
    assert.ok(Number(wait) >= 1000 && stream.lines.includes(`retry: ${String(wait)}`), String(wait))
  })
})
