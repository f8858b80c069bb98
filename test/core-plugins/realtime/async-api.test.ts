import assert from 'node:assert/strict'
import { compileSchemaCheck, type Schema } from '#kernel'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { SocketClient, type Frame } from '../../support/socket-client.ts'
import { notify, pluginsWith } from './world.ts'

/** What the test reads of the document. */
interface Description {
  readonly asyncapi: string
  readonly channels: Record<string, { readonly address: string; readonly messages: object }>
  readonly operations: Record<string, { readonly action: string; readonly messages: readonly object[] }>
  readonly components: { readonly messages: Record<string, { readonly name: string; readonly payload: Schema }> }
}

describe('the description of the events', () => {
  let platform: TestPlatform
  let document: Description
  before(async () => {
    platform = await startTestPlatform({ plugins: pluginsWith() })
    const { status, body } = await platform.test.api.get('/asyncapi.json')
    assert.equal(status, 200)
    document = body as unknown as Description
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is AsyncAPI 3 with a channel for each namespace, and leads nowhere outside itself', () => {
    const { asyncapi, channels, operations } = document
    assert.deepEqual(
      [asyncapi, Object.entries(channels).map(([name, { address }]) => [name, address])],
      [
        '3.0.0',
        [
          ['user', '/ws/user'],
          ['tenant', '/ws/tenant'],
          ['admin', '/ws/admin'],
        ],
      ],
    )
    assert.deepEqual(
      Object.entries(operations).map(([name, { action }]) => `${name} ${action}`),
      ['user', 'tenant', 'admin'].flatMap((name) => [`${name}Events send`, `${name}Requests receive`]),
    )
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'))
    const missing = refs.filter(
      (path) => path.reduce<unknown>((at, name) => (at as never)?.[name], document) === undefined,
    )
    assert.deepEqual([refs.length > 100, missing], [true, []])
  })

  it('tells the frames of both sides as they are', async () => {
    const acme = await platform.createTenant('acme')
    using client = await SocketClient.ready(acme.owner, '/ws/user')
    const { last_id: last } = client.frames[0] ?? assert.fail()
    await notify(platform.test, acme.id, acme.ownerId, 'hi')
    const { id } = await client.next('notification.created')
    const said = [
      { type: 'ping' },
      { type: 'subscribe', topics: ['notification.*'] },
      { type: 'ack', id },
      { type: 'resume', last_id: last },
      { type: 'resume' },
      { type: 'auth', token: acme.owner.token },
      { type: 'auth', ticket: dataOf(await acme.owner.post('/auth/ws-ticket'))['ticket'] },
    ]
    for (const frame of said) client.send(frame)
    client.send({ type: 'dance' })
    client.send({ type: 'resume', last_id: '00000000-0001-7000-8000-000000000000' })
    await client.next('resync')
    const faultsOf = (side: string, frames: readonly Frame[]): readonly unknown[] =>
      frames.filter((frame) => {
        const name = frame.type === 'event' ? `user.${String(frame.event)}` : `${side}.${frame.type}`
        const { payload } = document.components.messages[name] ?? assert.fail(name)
        return !compileSchemaCheck(payload, 'exact', 'lazily').isValid(frame)
      })
    const types = [...new Set(client.frames.map(({ type }) => type))].sort()
    assert.deepEqual(
      [faultsOf('server', client.frames), faultsOf('client', said as unknown as readonly Frame[]), types],
      [[], [], ['error', 'event', 'pong', 'ready', 'renewed', 'resumed', 'resync', 'subscribed']],
    )
  })
})
