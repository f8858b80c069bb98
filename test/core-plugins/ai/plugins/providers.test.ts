import assert from 'node:assert/strict'
import type { Api } from '../../../support/api.ts'
import { textOf } from '../../../support/attachments.ts'
import type { Lane } from '../../../support/fake-upstream/start.ts'
import { dataOf, refusalOf } from '../../../support/platform.ts'
import { installAndEnable } from '../../../support/small-plugin.ts'
import { until } from '../../../support/until.ts'
import { packBadProvider } from './bad-provider.ts'
import { addModel, addPlain, assign, pluginWorld } from './world.ts'

const messages = 'acme.ai-messages'
const secret = 'sk-very-secret-1234'

describe('AI providers of plugins', () => {
  let world: Awaited<ReturnType<typeof pluginWorld>>
  let lane: Lane

  before(async () => {
    world = await pluginWorld(['ai-messages'])
    lane = world.lane('messages')
    const { admin, one } = world
    await addProvider(one.owner, 'vendor', messages, 'messages', lane)
    await addPlain(admin, world.lane('plain'), 'plain')
    await installAndEnable(admin, await packBadProvider())
    await assign(admin, one, 'acme.bad')
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => lane.behave({}))

  /** A provider of a plugin's with a model of its name. */
  async function addProvider(
    by: Api,
    name: string,
    plugin: string,
    provider: string,
    to: Lane,
    kind?: 'embedding',
  ): Promise<string> {
    const wire = { type: 'plugin', plugin: { name: plugin, provider }, base_url: to.v1 }
    const credentials = plugin === messages ? { credentials: { api_key: secret } } : {}
    const made = dataOf(await by.post('/admin/ai/providers', { code: name, name, ...wire, ...credentials }), 201)
    await addModel(by, textOf(made['id']), name, undefined, kind)
    return textOf(made['id'])
  }

  async function usageOf(by: Api, model: string) {
    const { items } = dataOf(await by.get('/admin/ai/usage')) as unknown as {
      readonly items: readonly Readonly<Record<string, unknown>>[]
    }
    return items.filter((row) => row['model'] === model)
  }

  it('are offered to whom the plugin runs for, with the fields of a form, and tested before they are added', async () => {
    const offers = async (by: Api, language = 'en') => {
      const answer = await by.get('/admin/ai/provider-offers', { headers: { 'accept-language': language } })
      return dataOf(answer)['items'] as unknown as { plugin: { name: string }; title: string; fields: unknown }[]
    }
    const offer = (await offers(world.one.owner)).find(({ plugin }) => plugin.name === messages)
    assert.deepEqual(offer, {
      plugin: { name: messages, provider: 'messages' },
      title: 'Messages API',
      fields: [
        { field: 'api_key', title: 'API key', required: true, secret: true, widget: 'password' },
        {
          ...{ field: 'api_version', title: 'Version of the API', required: false, secret: false, widget: 'input' },
          default: '2023-06-01',
        },
      ],
    })
    const chinese = (await offers(world.one.owner, 'zh-CN')).find(({ plugin }) => plugin.name === messages)
    assert.equal(chinese?.title, 'Messages 接口')
    assert.deepEqual(await offers(world.two.owner), [])
    const provider = { type: 'plugin', plugin: { name: messages, provider: 'messages' }, base_url: lane.v1 }
    const wish = { provider: { ...provider, credentials: { api_key: secret } } }
    const tested = dataOf(await world.one.owner.post('/admin/ai/providers/test', wish))
    assert.equal(tested['ok'], true, JSON.stringify(tested))
    assert.equal(refusalOf(await world.two.owner.post('/admin/ai/providers/test', wish)).code, 4229)
  })

  it('answer whole and streamed, with the usage that they report, and the key is put in outside of the plugin', async () => {
    const { one, chat } = world
    const whole = await chat(one.key, { model: 'vendor' })
    assert.deepEqual([whole.status, whole.text], [200, 'echo: one two three'])
    assert.equal(whole.headers.get('x-ai-provider'), 'vendor')
    const streamed = await chat(one.key, { model: 'vendor', stream: true, stream_options: { include_usage: true } })
    assert.deepEqual([streamed.text, streamed.raw.endsWith('data: [DONE]\n\n')], ['echo: one two three', true])
    assert.deepEqual(streamed.frames.at(-1)?.usage?.completion_tokens, 4)
    const [first, second] = await lane.seen()
    assert.deepEqual([first?.path, first?.headers['x-api-key']], ['/v1/messages', secret])
    assert.deepEqual([first?.headers['anthropic-version'], second?.path], ['2023-06-01', '/v1/messages'])
    await until(async () => (await usageOf(one.owner, 'vendor')).length === 2)
    for (const row of await usageOf(one.owner, 'vendor'))
      assert.deepEqual([row['outcome'], row['usage_source'], row['output_tokens']], ['ok', 'provider', 4])
  })

  it('carry tools both ways', async () => {
    const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }
    const body = { model: 'vendor', tools: [tool], messages: [{ role: 'user', content: 'call look_up' }] }
    for (const stream of [false, true]) {
      const { raw, frames } = await world.chat(world.one.key, { ...body, stream })
      assert.ok(raw.includes('look_up'))
      assert.ok(frames.some(({ choices = [] }) => choices.some((choice) => choice.finish_reason === 'tool_calls')))
    }
  })

  it('are tested like any other, and list their models', async () => {
    const { items } = dataOf(await world.one.owner.get('/admin/ai/providers?type=plugin')) as unknown as {
      readonly items: readonly { readonly id: string; readonly code: string }[]
    }
    const id = items.find(({ code }) => code === 'vendor')?.id ?? ''
    const wish = { level: 'stream', model: 'fake-opus' }
    const tested = dataOf(await world.one.owner.post(`/admin/ai/providers/${id}/test`, wish))
    assert.deepEqual([tested['ok'], tested['models']], [true, ['fake-opus', 'fake-haiku']], JSON.stringify(tested))
  })

  it('are tested with settings that are not saved yet, and with what is wrong of these', async () => {
    const { items } = dataOf(await world.one.owner.get('/admin/ai/providers?type=plugin')) as unknown as {
      readonly items: readonly { readonly id: string; readonly code: string; readonly settings: object }[]
    }
    const { id = '', settings } = items.find(({ code }) => code === 'vendor') ?? {}
    const test = (wish: object) => world.one.owner.post(`/admin/ai/providers/${id}/test`, wish)
    const version = async () => (await lane.seen()).at(-1)?.headers['anthropic-version']
    const chatting = { level: 'chat', model: 'fake-opus' }
    assert.equal(dataOf(await test({ ...chatting, draft: { settings: { api_version: '2020-02-02' } } }))['ok'], true)
    assert.equal(await version(), '2020-02-02')
    assert.equal(dataOf(await test(chatting))['ok'], true)
    assert.equal(await version(), '2023-06-01')
    assert.deepEqual(dataOf(await world.one.owner.get(`/admin/ai/providers/${id}`))['settings'], settings)
    const wrong = await test({ draft: { settings: { nonsense: 1 } } })
    const faults = wrong.body['errors'] as unknown as readonly { readonly field: string; readonly rule: string }[]
    assert.deepEqual(
      [refusalOf(wrong).code, faults.map(({ field, rule }) => [field, rule])],
      [4229, [['draft.settings.nonsense', 'unknown_field']]],
    )
  })

  it('say what a refusal means: what is wrong with the request, or with the key', async () => {
    const { one, chat } = world
    await lane.behave({ trouble: { kind: 'status', status: 429, retryAfter: '1' }, times: 1 })
    const limited = await chat(one.key, { model: 'vendor' })
    assert.deepEqual([limited.status, limited.frames[0]?.error?.code], [502, 'upstream_error'])
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const refused = await chat(one.key, { model: 'vendor', messages: [{ role: 'user', content: [picture] }] })
    assert.deepEqual([refused.status, refused.frames[0]?.error?.type], [400, 'invalid_request_error'])
  })

  it('that misbehave are faults of the provider: another target answers, and without one 502', async () => {
    const { one, chat } = world
    const bad = world.lane('bad')
    for (const name of ['throws', 'leaves', 'greedy']) {
      await addProvider(one.owner, name, 'acme.bad', 'bad', bad)
      assert.equal((await chat(one.key, { model: name })).status, 502, name)
    }
    assert.deepEqual(await bad.seen(), [])
    const targets = [
      { id: 't1', model: 'throws' },
      { id: 't2', model: 'plain', tier: 1 },
    ]
    dataOf(
      await one.owner.post('/admin/ai/gateway/routes', { name: 'over', match: { models: ['throws'] }, targets }),
      201,
    )
    for (const stream of [false, true]) {
      const answer = await chat(one.key, { model: 'throws', stream })
      assert.deepEqual(
        [answer.status, answer.text, answer.headers.get('x-ai-provider')],
        [200, 'echo: one two three', 'plain'],
      )
    }
  })

  it('never charge for more than was held, whatever they report, and an answer of a wrong form is none', async () => {
    const { one, chat } = world
    const liar = world.lane('liar')
    await addProvider(one.owner, 'liar', 'acme.bad', 'bad', liar)
    assert.equal((await chat(one.key, { model: 'liar', max_tokens: 7 })).text, 'Hi')
    await until(async () => (await usageOf(one.owner, 'liar')).length === 1)
    const [row] = await usageOf(one.owner, 'liar')
    assert.deepEqual([row?.['output_tokens'], row?.['usage_source']], [7, 'counted'])
    assert.ok(Number(row?.['input_tokens']) < 100)
    await liar.behave({ text: 'shapeless' })
    assert.deepEqual(refusalOfChat(await chat(one.key, { model: 'liar' })), [502, 'upstream_bad_response'])
  })

  it('make vectors where they have the mapping, one for each text', async () => {
    const { one, chat } = world
    const to = world.lane('vectors')
    await addProvider(one.owner, 'vectors', 'acme.bad', 'vectors', to, 'embedding')
    const embed = async (model: string, input: readonly string[]) => {
      const answer = await fetch(`${world.host.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${one.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, input, dimensions: 3 }),
      })
      const body = (await answer.json()) as {
        readonly data?: readonly { readonly embedding: readonly number[] }[]
        readonly usage?: { readonly prompt_tokens: number }
        readonly error?: { readonly code: string }
      }
      return { status: answer.status, ...body }
    }
    const made = await embed('vectors', ['one two', 'three four five'])
    assert.deepEqual([made.status, made.data?.map(({ embedding }) => embedding.length)], [200, [3, 3]])
    await until(async () => (await usageOf(one.owner, 'vectors')).length === 1)
    const [row] = await usageOf(one.owner, 'vectors')
    assert.deepEqual(
      [row?.['purpose'], row?.['usage_source'], row?.['input_tokens']],
      ['embedding', 'provider', made.usage?.prompt_tokens],
    )
    const few = await embed('vectors', ['one two three'])
    assert.deepEqual([few.status, few.error?.code], [502, 'upstream_bad_response'])
    assert.equal((await embed('vendor', ['one'])).status, 400)
    assert.deepEqual(refusalOfChat(await chat(one.key, { model: 'vectors' })), [400, 'model_lacks'])
  })

  it('are for tenants that have the plugin, and gone at once where it is', async () => {
    const { one, two, chat, admin } = world
    const wire = { type: 'plugin', plugin: { name: messages, provider: 'messages' }, base_url: lane.v1 }
    const foreign = await two.owner.post('/admin/ai/providers', { code: 'mine', name: 'Mine', ...wire })
    assert.deepEqual(refusalOf(foreign).code, 4229)
    const before = (await lane.seen()).length
    dataOf(await one.owner.post(`/tenant/plugins/${messages}/disable`))
    assert.deepEqual(refusalOfChat(await chat(one.key, { model: 'vendor' })), [503, 'no_healthy_target'])
    dataOf(await one.owner.post(`/tenant/plugins/${messages}/enable`))
    assert.equal((await chat(one.key, { model: 'vendor' })).status, 200)
    dataOf(await admin.post(`/admin/plugins/${messages}/disable`))
    assert.deepEqual(refusalOfChat(await chat(one.key, { model: 'vendor', stream: true })), [503, 'no_healthy_target'])
    assert.equal((await lane.seen()).length, before + 1)
    dataOf(await admin.post(`/admin/plugins/${messages}/enable`))
    assert.equal((await chat(one.key, { model: 'vendor', stream: true })).text, 'echo: one two three')
  })
})

function refusalOfChat({ status, frames }: Awaited<ReturnType<Awaited<ReturnType<typeof pluginWorld>>['chat']>>) {
  return [status, frames[0]?.error?.code]
}
