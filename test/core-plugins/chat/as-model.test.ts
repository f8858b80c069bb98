import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { agentAsker } from '../../../core-plugins/chat/contract.ts'
import { textOf } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { createUser, dataOf, refusalOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { makeAgent } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { kindsOf, open, textIn } from './world.ts'

const plugin = 'acme.orders'
const text = { default: 'A text' }
const input = { type: 'object', properties: { id: { type: 'integer' } } }
const manifest = {
  scope: 'platform',
  capabilities: ['ai:tool'],
  reasons: { 'ai:tool': 'Finds orders.' },
  provides: {
    aiTools: [
      { name: 'order_lookup', description: text, input, handler: 'lookUp' },
      { name: 'order_cancel', description: text, input, handler: 'lookUp', effect: 'write' },
    ],
  },
}
const definition = `{ aiTools: { lookUp: ({ id }) => ({ content: 'order ' + id }) } }`

describe('Agents as models', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  let userId: number
  let agent: string
  before(async () => {
    world = await startWithVendor()
    await installAndEnable(world.platform.admin, await packSmall(plugin, manifest, definition))
    const tools = ['order_lookup', 'order_cancel'].map((name) => ({ plugin, name }))
    agent = await makeAgent(world.owner, { code: 'orders', model: 'fast', generate_titles: false, tools })
    await makeAgent(world.owner, {
      code: 'secret',
      model: 'fast',
      access: { mode: 'restricted', roles: ['tenant_owner'] },
    })
    userId = world.userId
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(() => world.lane.behave({}))

  async function keyWith(more: object = {}): Promise<string> {
    const wish = { name: 'a key', tenant_id: world.tenantId, owner: { user_id: userId }, ...more }
    return textOf(dataOf(await world.platform.admin.post('/admin/ai/api-keys', wish), 201)['key'])
  }
  const openai = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${world.platform.host.api.url}/v1`, maxRetries: 0 })
  const listed = async (key: string) => (await openai(key).models.list()).data.map(({ id }) => id)
  const runs = async () => dataOf(await world.user.get('/ai/agent-chat/conversations'))['total'] as unknown as number
  const ask = { model: 'agent:orders', messages: [{ role: 'user' as const, content: 'Where is 7?' }] }

  it('are listed for keys that may use them, and answer those alone', async () => {
    assert.deepEqual(await listed(await keyWith()), ['fast', 'agent:helper', 'agent:orders'])
    assert.deepEqual(await listed(await keyWith({ agents: ['ord*'] })), ['fast', 'agent:orders'])
    assert.deepEqual(await listed(await keyWith({ scopes: ['models', 'chat'] })), ['fast'])
    const nobodys = await keyWith({ owner: {} })
    assert.ok((await listed(nobodys)).includes('agent:orders') && !(await listed(nobodys)).includes('agent:secret'))
    const mute = await createUser(world.owner, 'runs', [])
    const muteId = Number(dataOf(await mute.get('/auth/me'))['user']?.['id'])
    const cases = [
      [await keyWith({ owner: { user_id: muteId } }), 'agent:orders', 403],
      [await keyWith({ agents: ['helper'] }), 'agent:orders', 403],
      [await keyWith({ scopes: ['chat'] }), 'agent:orders', 403],
      [await keyWith({ scopes: ['agents'] }), 'fast', 403],
      [await keyWith(), 'agent:secret', 404],
      [await keyWith(), 'agent:none', 404],
    ] as const
    for (const [key, model, status] of cases) {
      const refused = openai(key).chat.completions.create({ ...ask, model })
      await assert.rejects(
        refused,
        (error: unknown) => (error as { status?: number }).status === status,
        `${model} ${String(status)}`,
      )
    }
    const { id, object } = await openai(nobodys).models.retrieve('agent:orders')
    assert.deepEqual([id, object], ['agent:orders', 'model'])
  })

  it('are none where the platform switched them off', async () => {
    const switching = async (isOn: boolean) =>
      dataOf(await world.platform.admin.put('/admin/ai/gateway', { openai_compat: { agents_as_models: isOn } }))
    assert.deepEqual(dataOf(await world.platform.admin.get('/admin/ai/gateway'))['openai_compat'], {
      ...{ enabled: true, path: '/v1', agents_as_models: true },
    })
    const key = await keyWith()
    await switching(false)
    assert.deepEqual(await listed(key), ['fast'])
    const refused = await openai(key)
      .chat.completions.create(ask)
      .catch((error: unknown) => error)
    assert.deepEqual(
      [refused instanceof OpenAI.NotFoundError, refused instanceof OpenAI.NotFoundError && refused.code],
      [true, 'model_not_found'],
    )
    await switching(true)
    assert.deepEqual(await listed(key), ['fast', 'agent:helper', 'agent:orders'])
  })

  it('answer chat completions, responses and messages, whole and streamed, with their tools called here', async () => {
    const key = await keyWith()
    const before = await runs()
    const client = openai(key)
    await world.lane.behave({ calls: [{ name: 'order_lookup', arguments: { id: 7 } }], times: 1 })
    const whole = await client.chat.completions.create(ask)
    const said = whole.choices[0]?.message.content ?? ''
    assert.ok(said !== '' && whole.choices[0]?.finish_reason === 'stop' && (whole.usage?.total_tokens ?? 0) > 0)
    const { messages } = (await world.lane.seen()).at(-1)?.body as {
      messages: readonly { role: string; content: string }[]
    }
    assert.deepEqual(
      messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
      ['order 7'],
    )
    assert.equal(messages[0]?.content.startsWith('secret words'), true)
    let streamed = ''
    for await (const chunk of await client.chat.completions.create({ ...ask, stream: true }))
      streamed += chunk.choices[0]?.delta.content ?? ''
    assert.match(streamed, /Where is 7/)
    const response = await client.responses.create({ model: 'agent:orders', input: 'Where is 8?' })
    assert.match(response.output_text, /Where is 8/)
    const again = await client.responses.create({
      model: 'agent:orders',
      input: 'And 9?',
      previous_response_id: response.id,
    })
    assert.match(again.output_text, /And 9/)
    const anthropic = new Anthropic({ apiKey: key, baseURL: world.platform.host.api.url, maxRetries: 0 })
    const { content } = await anthropic.messages.create({
      ...{ model: 'agent:orders', max_tokens: 200, system: 'Be brief.' },
      messages: [{ role: 'user', content: 'Where is 10?' }],
    })
    assert.ok(JSON.stringify(content).includes('Where is 10?'))
    assert.equal(await runs(), before)
    await until(async () => {
      const { items } = dataOf(await world.owner.get('/admin/ai/usage?purpose=chat')) as unknown as {
        items: readonly Body[]
      }
      const rows = items.filter((row) => (row['agent_id'] as unknown) === agent && (row['key_id'] as unknown) !== null)
      return rows.length >= 6 && rows.every((row) => (row['user_id'] as unknown) === userId)
    })
  })

  it('decide themselves on tools and forms, and never call what would need a confirmation', async () => {
    const client = openai(await keyWith())
    const tool = { type: 'function' as const, function: { name: 'x', parameters: { type: 'object' } } }
    const wishes = [{ tools: [tool] }, { response_format: { type: 'json_object' as const } }]
    for (const wish of wishes) {
      const refused = client.chat.completions.create({ ...ask, ...wish })
      await assert.rejects(refused, (error: unknown) => (error as { status?: number }).status === 400)
    }
    await world.lane.behave({ calls: [{ name: 'order_cancel', arguments: { id: 7 } }], times: 1 })
    const { data, response } = await client.chat.completions.create({ ...ask, seed: 7 }).withResponse()
    assert.deepEqual([response.headers.get('x-ai-dropped-params'), data.choices[0]?.finish_reason], ['seed', 'stop'])
    const { messages } = (await world.lane.seen()).at(-1)?.body as {
      messages: readonly { role: string; content: string }[]
    }
    assert.match(messages.find(({ role }) => role === 'tool')?.content ?? '', /needs a confirmation/)
  })

  it('go on with a conversation that is stored where the client says so, of the key’s user alone', async () => {
    const client = openai(await keyWith())
    const first = await client.chat.completions.create(ask, { headers: { 'x-conversation-id': 'new' } }).withResponse()
    const id = first.response.headers.get('x-conversation-id') ?? ''
    await client.chat.completions.create({ ...ask, metadata: { conversation_id: id } })
    const detail = dataOf(await world.user.get(`/ai/agent-chat/conversations/${id}`))
    assert.equal(detail['message_count'], 4)
    await until(async () => {
      const all = dataOf(await world.owner.get('/admin/ai/usage?purpose=chat'))['items'] as unknown as readonly Body[]
      const rows = all.filter((row) => (row['conversation_id'] as unknown) === id)
      return rows.length === 2 && rows.every((row) => (row['key_id'] as unknown) !== null)
    })
    const nobodys = openai(await keyWith({ owner: {} }))
    for (const place of [id, 'new']) {
      const nobody = nobodys.chat.completions.create(ask, { headers: { 'x-conversation-id': place } })
      await assert.rejects(nobody, (error: unknown) => (error as { status?: number }).status === 404, place)
    }
  })

  it('tell of a break as models do, and end at once when the client is gone', async () => {
    const client = openai(await keyWith())
    await world.lane.behave({ trouble: { kind: 'cut', after: 2 }, words: 20 })
    const broken = async () => {
      for await (const chunk of await client.chat.completions.create({ ...ask, stream: true })) assert.ok(chunk)
    }
    await assert.rejects(broken, /stopped in the middle/)
    await world.lane.behave({ words: 500, pieceMs: 20 })
    const control = new AbortController()
    const gone = await client.chat.completions.create({ ...ask, stream: true }, { signal: control.signal })
    await gone[Symbol.asyncIterator]().next()
    control.abort()
    await until(async () => (await world.lane.seen()).at(-1)?.hungUpAt !== undefined)
  })

  it('are asked by other core plugins', async () => {
    const asker = world.platform.host.kernel.services.get(agentAsker)
    const user = await asker.userOfKey({ id: 'key_x', tenantId: world.tenantId, userId })
    const question = { user, tenant: { id: world.tenantId, code: 'runs' }, agent: 'orders', text: 'Where is 11?' }
    const { signal } = new AbortController()
    const answer = await asker.ask({ ...question, locale: 'en', traceId: 't'.repeat(32), signal })
    assert.deepEqual([answer.text.includes('Where is 11?'), answer.finish], [true, 'stop'])
  })

  it('are tried as drafts by those who may change them, plain and streamed, and nothing is stored', async () => {
    const path = `/admin/ai/agents/${agent}`
    dataOf(await world.owner.put(path, { instructions: 'draft words {{name}}' }))
    const before = await runs()
    const wish = { messages: [{ role: 'user', content: 'hello' }], inputs: { name: 'Ada' } }
    const tried = dataOf(await world.owner.post(`${path}/try`, wish))
    assert.deepEqual([tried['status'], textOf(tried['message']?.['content']).includes('hello')], ['completed', true])
    const { messages } = (await world.lane.seen()).at(-1)?.body as { messages: readonly { content: string }[] }
    assert.ok(messages[0]?.content.startsWith('draft words Ada'))
    const frames = await (await open(world.owner, `${path}/try`, { ...wish, stream: true })).until()
    assert.deepEqual(kindsOf(frames), [
      'run.started',
      'context.ready',
      'message.delta',
      'usage',
      'message.completed',
      'run.completed',
    ])
    assert.ok(textIn(frames).includes('hello'))
    dataOf(await world.platform.admin.post(`${path}/try`, wish))
    // The tenant pays, and nobody of it.
    await until(async () => {
      const rows = dataOf(await world.owner.get('/admin/ai/usage?purpose=chat'))['items'] as unknown as readonly Body[]
      return rows.some((row) =>
        isDeepStrictEqual([row['agent_id'], row['user_id'], row['key_id']], [agent, null, null]),
      )
    }, 10_000)
    assert.equal(await runs(), before)
    const reader = await createUser(world.owner, 'runs', ['tenant_agent:detail', 'user_agent:chat'])
    assert.equal((await reader.post(`${path}/try`, wish)).status, 403)
    assert.equal(refusalOf(await world.owner.post('/admin/ai/agents/agt_none/try', wish)).code, 4047)
  })
})
