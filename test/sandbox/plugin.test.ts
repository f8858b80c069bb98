import { deepEqual, equal } from 'node:assert/strict'
import { RouteNotFoundError } from '#kernel'
import type { Release } from '#sandbox'
import { measures } from '../../sandbox/metering/measures.ts'
import { assertLeavesNothing, startTestKernel, type TestKernel } from '../support/kernel.ts'
import { plainIdentity, platformToken, tenantToken } from '../support/plain-identity.ts'
import { notesManifest, notesSource } from './plugin-notes.ts'
import { grantsFor, pluginOf, startPluginWorld, type PluginWorld } from './plugin-world.ts'

const base = '/tenant/plugins/acme.notes/api'
const user = tenantToken(5, 'plugin.acme.notes:read', 'plugin.acme.notes:write', 'other:read')

describe('a third-party plugin', () => {
  let world: PluginWorld
  let kernel: TestKernel
  let release: Release

  before(async () => {
    world = await startPluginWorld()
    kernel = await startTestKernel({ plugins: [plainIdentity] })
    release = await world.release(notesManifest, notesSource, { 'locales/zh-CN.json': '{"hello":"你好 {name}"}' })
    await kernel.kernel.enable(pluginOf(world.sandbox, release))
  })
  after(async () => {
    await kernel?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  const refusal = async (path: string, token = user): Promise<unknown> => {
    const { status, body } = await kernel.request('GET', path, { token })
    return [status, body['code'], body['reason'], body['message']]
  }

  it('hears of a request without the caller’s credentials', async () => {
    const headers = {
      cookie: 'a=b',
      'x-api-key': 'k',
      'accept-language': 'en',
      'user-agent': 'test',
      'x-forwarded-for': '1.1.1.1',
    }
    const { status, body } = await kernel.request('GET', `${base}/notes/a%20b?x=1&x=2`, { token: user, headers })
    const { request, ...rest } = body['data'] as never as { request: { traceId: string } }
    equal(status, 200)
    deepEqual(
      [request, rest],
      [
        {
          ...{
            method: 'GET',
            path: '/notes/a%20b',
            params: { id: 'a b' },
            query: { x: ['1', '2'] },
            body: null,
            locale: 'en',
          },
          ...{ headers: { 'accept-language': 'en', 'user-agent': 'test' }, traceId: request.traceId },
        },
        {
          tenant: { id: 5, code: 't5' },
          user: { id: 501, permissions: ['read', 'write'] },
          plugin: { name: 'acme.notes', version: '1.0.0' },
          names: [
            ...['ai', 'attachments', 'cache', 'can', 'config', 'crypto', 'deadline', 'events', 'http', 'id', 'jobs'],
            ...['license', 'locale', 'log', 'mail', 'notify', 'now', 'plugin', 'services'],
            ...['storage', 'stream', 't', 'tenant', 'user', 'users'],
          ],
        },
      ],
    )
  })

  it('is guarded like every other: caller, scope, permission, gate, body, rate', async () => {
    const request = async (method: 'GET' | 'POST', path: string, options = {}): Promise<unknown> => {
      const { status, body } = await kernel.request(method, path, options)
      return [status, body['code']]
    }
    world.closed.set('acme.notes 6', new RouteNotFoundError())
    const hook = '/api/public/plugins/acme.notes/api/hook'
    const host = 't5.localhost'
    deepEqual(
      [
        await request('GET', `${base}/notes/1`),
        await request('GET', `${base}/notes/1`, { token: platformToken('*:*') }),
        await request('GET', '/admin/plugins/acme.notes/api/stats', { token: user }),
        await request('GET', '/admin/plugins/acme.notes/api/stats', { token: platformToken('plugin.acme.notes:*') }),
        await request('GET', `${base}/notes/1`, { token: tenantToken(5) }),
        await request('GET', `${base}/notes/1`, { token: tenantToken(6, 'plugin.acme.notes:read') }),
        await request('GET', `${base}/none`, { token: user }),
        await request('POST', `${base}/notes`, { token: user, body: { text: 'x'.repeat(1_100) } }),
        await request('POST', `${base}/notes`, { token: user, body: { text: 'x' } }),
        await request('POST', hook, { body: {} }),
        await request('POST', hook, { body: {}, host }),
        await request('POST', hook, { host }),
        await request('POST', hook, { host }),
        await request('POST', hook, { host }),
      ],
      [
        ...[
          [401, 4010],
          [403, 4033],
          [403, 4033],
          [200, 0],
          [403, 4031],
          [404, 4044],
          [404, 4044],
          [413, 4130],
          [200, 0],
        ],
        ...[
          [404, 4041],
          [200, 0],
          [200, 0],
          [200, 0],
          [429, 4299],
        ],
      ],
    )
  })

  it('fails in the platform’s words', async () => {
    const failed = [500, 5004, 'plugin_handler_failed', 'The plugin failed']
    deepEqual(
      [
        await refusal(`${base}/fail/thrown`),
        await refusal(`${base}/fail/returned`),
        await refusal(`${base}/fail/broken`),
        await refusal(`${base}/fail/none`),
        await refusal(`${base}/fail/invalid`),
        await refusal(`${base}/slow`),
        await refusal(`${base}/fail/cpu`),
      ],
      [
        [404, 4040, 'plugin.acme.notes.no_note', 'No such note'],
        [409, 4090, 'plugin.acme.notes.conflict', 'Taken'],
        ...[failed, failed],
        [502, 5029, 'plugin_response_invalid', 'The answer of the plugin is not valid'],
        [504, 5040, 'plugin_timeout', 'The plugin did not answer in time'],
        [500, 5008, 'sandbox_failed', 'The plugin went beyond its limits'],
      ],
    )
    const { metering } = world.sandbox
    const { counts = [] } = metering.totals().find(({ kind, name }) => kind === 'tenant' && name === '5') ?? {}
    deepEqual(
      [
        ...measures.slice(1, 6).map((measure, index) => `${measure} ${counts[index + 1]}`),
        metering.takeFailures().at(-1)?.code,
      ],
      ['pluginErrors 2', 'limitErrors 2', 'upstreamErrors 0', 'hostErrors 0', 'refusals 1', 5008],
    )
  })

  it('reads its configuration, publishes, and speaks the caller’s language', async () => {
    world.published.length = 0
    equal((await kernel.request('POST', `${base}/publish`, { token: user })).status, 200)
    const [event] = world.published
    deepEqual(
      { ...event, traceId: '' },
      { plugin: 'acme.notes', type: 'acme.notes.added', tenantId: 5, payload: { greeting: 'Hi' }, hop: 1, traceId: '' },
    )
    const { body } = await kernel.request('GET', `${base}/hello`, {
      token: user,
      headers: { 'accept-language': 'zh-CN' },
    })
    equal(body['data'], '你好 Ann')
  })

  it('hears events under the exact name first, and says when it wants one again', async () => {
    world.published.length = 0
    const grants = grantsFor(release)
    const event = { id: 'e1', tenantId: 5, tenant: { id: 5, code: 't5' }, hop: 3, occurredAt: new Date(0), attempt: 2 }
    const deliver = async (type: string, payload: unknown): Promise<unknown> => {
      const outcome = await world.sandbox.deliver(release, grants, { ...event, type, payload })
      return outcome.delivered || [outcome.retry, outcome.error.code]
    }
    deepEqual(
      [
        await deliver('acme.notes.added', {}),
        await deliver('acme.notes.added', { fail: true }),
        await deliver('acme.notes.gone', {}),
        await deliver('other.x', {}),
      ],
      [true, [true, 5004], true, true],
    )
    deepEqual(
      world.published.map(({ hop, payload }) => [hop, payload]),
      [[4, { id: 'e1', type: 'acme.notes.added', payload: {}, occurredAt: '1970-01-01T00:00:00.000Z', attempt: 2 }]],
    )
  })

  it('has what a tenant refused no more', async () => {
    const other = await world.release({ ...notesManifest, name: 'acme.other' }, notesSource)
    const plugin = pluginOf(world.sandbox, other, new Set(['http']))
    await kernel.kernel.enable(plugin)
    equal((await kernel.request('GET', '/tenant/plugins/acme.other/api/fetch', { token: user })).body['data'], 'none')
    await kernel.kernel.disable(plugin.name)
  })

  it('declares permissions, configuration and menus as the kernel knows them, and leaves nothing', async () => {
    const other = await world.release({ ...notesManifest, name: 'acme.declared' }, notesSource)
    const plugin = pluginOf(world.sandbox, other)
    deepEqual(
      [
        plugin.permissions,
        plugin.menus,
        plugin.config?.map(({ code, scope, items }) => [code, scope, items.map(({ key }) => key)]),
      ],
      [
        [
          { resource: 'plugin.acme.declared', scope: 'ADMIN', actions: { read: { default: 'Read' } } },
          {
            ...{ resource: 'plugin.acme.declared', scope: 'TENANT' },
            actions: { read: { default: 'Read' }, write: { default: 'Write' } },
          },
        ],
        [
          {
            ...{ name: 'plugin.acme.declared.notes', title: { default: 'Notes' }, area: 'tenant', type: 'plugin' },
            ...{ path: '/plugins/acme.declared/page', component: 'page', sort: 100 },
            permission: 'plugin.acme.declared:read',
          },
        ],
        [
          ['plugin.acme.declared', 'ALL_TENANTS', ['plg_9332698a_greeting']],
          ['plugin.acme.declared.platform', 'ADMIN_ONLY', ['plg_9332698a_mode']],
        ],
      ],
    )
    await assertLeavesNothing(kernel.kernel, plugin)
  })

  it('is forgotten once its calls have ended', async () => {
    const slow = kernel.request('GET', `${base}/slow`, { token: user })
    await world.sandbox.drain('acme.notes', 2_000)
    equal((await slow).status, 504)
    equal((await kernel.request('GET', `${base}/hello`, { token: user })).status, 200)
  })
})
