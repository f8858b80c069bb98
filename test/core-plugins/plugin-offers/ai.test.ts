import assert from 'node:assert/strict'
import { pluginProviders, pluginTools } from '../../../core-plugins/plugin-offers/contract.ts'
import type {
  PluginProviders,
  PluginTools,
  ProviderWish,
  ToolCaller,
} from '../../../core-plugins/plugin-offers/contract.ts'
import { aiInvokers } from '../../../core-plugins/plugins/contract.ts'
import type { AppError } from '#kernel'
import { parseManifest } from '#sandbox'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { installAndEnable, manifestOf } from '../../support/small-plugin.ts'
import { packGiver } from './plugin.ts'
import { startWhole, useIn } from './world.ts'

const plugin = 'acme.giver'
const mine = `/tenant/plugins/${plugin}/api`

/** A wish of the gateway; this plugin looks into its body for what to answer. */
function chat(body: object): ProviderWish {
  return { kind: 'chat', stream: false, body: body as Extract<ProviderWish, { kind: 'chat' }>['body'] }
}

describe('what plugins give AI', () => {
  let platform: TestPlatform
  let one: TestTenant
  let two: TestTenant
  let three: TestTenant
  let tools: PluginTools
  let providers: PluginProviders
  const callerOf = ({ id, code, ownerId }: TestTenant, can = true): ToolCaller => {
    return { tenant: { id, code }, user: { userId: ownerId, can: () => can }, idempotencyKey: 'run:1' }
  }

  before(async () => {
    platform = await startWhole()
    await installAndEnable(platform.admin, await packGiver())
    one = await platform.createTenant('one')
    two = await platform.createTenant('two')
    three = await platform.createTenant('three')
    await useIn(platform, one, plugin)
    await useIn(platform, two, plugin, ['ai:tool', 'ai:invoke'])
    tools = platform.test.kernel.services.get(pluginTools)
    providers = platform.test.kernel.services.get(pluginProviders)
  })
  after(() => platform[Symbol.asyncDispose]())

  it('are tools, for the tenants that use the plugin and did not refuse them', () => {
    const list = (id: number) =>
      tools.list(id).map(({ name, effect, confirm, permission }) => [name, effect, confirm, permission])
    assert.deepEqual(list(one.id), [
      ['order_cancel', 'write', 'write', 'plugin.acme.giver:read'],
      ['order_lookup', 'read', 'never', undefined],
    ])
    assert.deepEqual([list(two.id), list(three.id)], [[], []])
  })

  it('are tools that are called as the tenant and the user, with defaults filled in', async () => {
    const look = { plugin, name: 'order_lookup' }
    assert.deepEqual(await tools.call(look, { id: 7 }, callerOf(one)), { ok: true, content: 'short 7 one' })
    assert.deepEqual(await tools.call({ plugin, name: 'order_cancel' }, { id: 7 }, callerOf(one)), {
      ok: true,
      content: { id: 7, by: one.ownerId, key: 'run:1', may: ['read'] },
    })
  })

  it('are tools whose failures are values: arguments, answers, permissions, refusals', async () => {
    const failed = async (name: string, input: unknown, caller = callerOf(one)) => {
      const outcome = await tools.call({ plugin, name }, input, caller)
      return outcome.ok ? 'ok' : `${outcome.code} ${outcome.reason} ${outcome.errors?.[0]?.field ?? ''}`.trim()
    }
    assert.deepEqual(
      [
        await failed('order_lookup', { id: 0 }),
        await failed('order_lookup', 'x'),
        await failed('order_lookup', { id: 1, other: 'x'.repeat(70_000) }),
        await failed('order_lookup', { id: 13 }),
        await failed('order_cancel', { id: 1 }, callerOf(one, false)),
        await failed('order_cancel', { id: 4 }),
        await failed('nothing', {}),
        await failed('order_lookup', { id: 1 }, callerOf(two)),
        await failed('order_lookup', { id: 1 }, callerOf(three)),
      ],
      [
        ...['4220 validation_failed id', '4220 validation_failed', '4220 validation_failed'],
        ...['5029 plugin_response_invalid', '4031 permission_denied', '4090 plugin.acme.giver.conflict'],
        ...Array<string>(3).fill('4040 plugin_tool_not_found'),
      ],
    )
  })

  it('are tools whose schemas are refused before the upload when a check with them could go on for ever', () => {
    const refused = (input: object): unknown => {
      const tool = { name: 'bad', description: { default: 'x' }, input: { type: 'object', ...input }, handler: 'a' }
      const provided = { capabilities: ['ai:tool'], reasons: { 'ai:tool': 'x' }, provides: { aiTools: [tool] } }
      try {
        parseManifest(JSON.stringify(manifestOf('acme.bad', provided)))
        return 'accepted'
      } catch (error) {
        return (error as AppError).errors?.[0]?.field
      }
    }
    const at = 'provides.aiTools.0.input'
    const bad = [
      { properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      { properties: { a: { $ref: '#' } } },
      { properties: { a: { type: 'nothing' } } },
      { anyOf: Array.from({ length: 600 }, () => true) },
      { properties: { a: { type: 'string', pattern: '^[A-Z]{3}$', format: 'uuid' } } },
    ]
    assert.deepEqual(bad.map(refused), [`${at}.properties.a.pattern`, `${at}.properties.a.$ref`, at, at, 'accepted'])
  })

  it('are providers, which map without a capability and never see a secret', async () => {
    const use = { plugin, code: 'echo', tenantId: 0, config: { api_key: 'sk-1234567', pin: '471100', region: 'eu' } }
    assert.deepEqual(
      providers.list(0).map(({ code, secrets, mappings }) => [code, secrets, mappings]),
      [['echo', ['api_key'], ['error', 'models']]],
    )
    assert.deepEqual(await providers.request(use, chat({ model: 'a' })), {
      ...{ method: 'POST', path: '/chat', headers: { authorization: 'Bearer sk-1234567' } },
      body: {
        seen: { api_key: '{{secret:api_key}}', pin: '{{secret:pin}}', region: 'eu' },
        wish: chat({ model: 'a' }),
        capabilities: [],
      },
    })
    const events = Array.from({ length: 40 }, (_, at) => ({ data: at === 0 ? 'say sk-1234567' : String(at) }))
    const { deltas, state } = await providers.chunk(use, { events, state: null })
    assert.deepEqual([deltas.length, deltas[0], state], [40, { type: 'text', text: 'say ********' }, 40])
    const error = await providers.error(use, {
      ...{ status: 429, headers: { via: ', sk-1234567, 471100' }, body: 'sk-1234567 is spent' },
    })
    const message = '******** is spent, ********, ********'
    assert.deepEqual(error, { class: 'rate_limited', message, retryAfterSeconds: 2 })
    const listed = await providers.models(use, '{"data":[{"id":"m"},{"id":"sk-1234567"}]}')
    assert.deepEqual(listed, [{ id: 'm' }, { id: '********' }])
    assert.equal(await providers.test(use, { level: 'chat', status: 200, body: '' }), undefined)
  })

  it('are providers whose requests lead nowhere but below their address', async () => {
    const use = { plugin, code: 'echo', tenantId: 0, config: { api_key: 'k' } }
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 0,
        ({ code }: { code: number }) => code,
      )
    const wishes = [
      ...['//evil.test/', 'https://evil.test/', '/../admin', '/a/%2e%2E/b', '/a%2fb', '/a\\b', '/a#b'].map((path) => ({
        path,
      })),
      ...['host', 'Content-Length', 'cookie', 'proxy-authorization', 'a b'].map((name) => ({
        headers: { [name]: 'x' },
      })),
      { headers: { 'x-a': 'a\r\nb: c' } },
      { headers: { 'x-a': { toString: 1, valueOf: 1 } } },
    ]
    for (const wish of wishes)
      assert.equal(await codeOf(providers.request(use, chat(wish))), 5029, JSON.stringify(wish))
    assert.equal(await codeOf(providers.request(use, chat({ headers: { 'x-a': '{{secret:region}}' } }))), 4222)
    assert.equal(await codeOf(providers.request({ ...use, config: {} }, chat({}))), 4222)
    assert.equal(await codeOf(providers.request({ ...use, code: 'other' }, chat({}))), 4048)
    assert.equal(await codeOf(providers.request({ ...use, tenantId: three.id }, chat({}))), 4048)
  })

  it('ask for answers of models in the name of their user, where somebody gives them', async () => {
    const ask = ({ owner }: TestTenant) => owner.post(`${mine}/invoke`, { model: 'fast' })
    const none = await ask(one)
    assert.deepEqual(refusalOf(none), { status: 502, code: 5024, reason: `plugin.${plugin}.ai_unavailable` })
    assert.equal(none.body['details']?.['reason'], 'ai_unavailable')
    const register = platform.test.kernel.services.get(aiInvokers)
    const registration = register.register(({ plugin: by, tenant, userId, request }) =>
      Promise.resolve({ by, tenant, userId, request }),
    )
    assert.deepEqual(dataOf(await ask(one)), {
      ...{ by: plugin, tenant: { id: one.id, code: 'one' }, userId: one.ownerId, request: { model: 'fast' } },
    })
    assert.equal(dataOf(await ask(two)), 'refused')
    registration[Symbol.dispose]()
    assert.equal((await ask(one)).status, 502)
  })
})
