import assert from 'node:assert/strict'
import { once } from 'node:events'
import { EventSource } from 'undici'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { notify, pluginsWith } from './world.ts'

interface Said {
  readonly type: string
  readonly last_id?: string
  readonly data?: { readonly title?: string }
}

describe('the readers of events that Node has itself', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ plugins: pluginsWith() })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const ticket = async (): Promise<string> =>
    dataOf(await acme.owner.post('/auth/ws-ticket'))['ticket'] as unknown as string
  const tell = (title: string): Promise<string> => notify(platform.test, acme.id, acme.ownerId, title)
  const titles = (frames: readonly Said[]): unknown => frames.flatMap(({ data }) => data?.title ?? [])
  const open = {
    socket(path: string) {
      const reader = new WebSocket(`${platform.test.url.replace(/^http/, 'ws')}/ws/${path}`)
      return { reader, ...framesOf(reader) }
    },
    stream(path: string) {
      const reader = new EventSource(`${platform.test.url}/events/${path}`)
      return { reader, ...framesOf(reader) }
    },
  }

  function framesOf(reader: Pick<EventTarget, 'addEventListener'>) {
    const frames: Said[] = []
    reader.addEventListener('message', (event) => {
      frames.push(JSON.parse(String((event as MessageEvent).data)) as Said)
    })
    const next = async (type: string): Promise<Said> => {
      await until(() => frames.some((frame) => frame.type === type))
      return frames.find((frame) => frame.type === type) ?? assert.fail(type)
    }
    return { frames, next }
  }

  for (const kind of ['socket', 'stream'] as const) {
    it(`a ${kind} enters with a ticket, hears, and comes back with what it missed`, async () => {
      const first = open[kind](`user?ticket=${await ticket()}`)
      const { last_id: last } = await first.next('ready')
      await tell('one')
      await first.next('event')
      first.reader.close()
      await tell('two')
      const back = open[kind](`user?ticket=${await ticket()}&last_id=${String(last)}`)
      await back.next('resumed')
      assert.deepEqual([titles(first.frames), titles(back.frames)], [['one'], ['one', 'two']])
      back.reader.close()
    })
  }

  it('a socket says who it is in its first frame, and reads why it is closed', async () => {
    const { reader, next } = open.socket('user')
    await once(reader, 'open')
    reader.send(JSON.stringify({ type: 'auth', token: acme.owner.token }))
    await next('ready')
    reader.send('x'.repeat(70_000))
    const [event] = (await once(reader, 'close')) as [CloseEvent]
    const used = await ticket()
    const one = open.socket(`user?ticket=${used}`)
    await one.next('ready')
    const again = open.socket(`user?ticket=${used}`)
    const [refused] = (await once(again.reader, 'close')) as [CloseEvent]
    one.reader.close()
    assert.deepEqual([event.code, refused.code, refused.reason], [1009, 4401, 'unauthenticated'])
  })
})
