import assert from 'node:assert/strict'
import { textOf } from '../../../support/attachments.ts'
import { dataOf, refusalOf } from '../../../support/platform.ts'
import { installAndEnable } from '../../../support/small-plugin.ts'
import { until } from '../../../support/until.ts'
import type { Lane } from '../../../support/fake-upstream/start.ts'
import { oddGuardrail as odd, packOddGuardrail } from './odd-guardrail.ts'
import { addPlain, assign, pluginWorld } from './world.ts'

const cards = 'acme.ai-cards'
const number = '4111 1111 1111 1111'
/** More than a clock of the CPU can miss. */
const longPay = [{ role: 'user', content: `${'Word after word. '.repeat(6_000)}Pay with ${number} please` }]
const pay = [{ role: 'user', content: `Pay with ${number} please` }]
const phases = ['input', 'output', 'output_stream']

describe('AI guardrails of plugins', () => {
  let world: Awaited<ReturnType<typeof pluginWorld>>
  let lane: Lane

  before(async () => {
    world = await pluginWorld(['ai-cards'])
    lane = world.lane('plain')
    await addPlain(world.admin, lane, 'plain')
    await installAndEnable(world.admin, await packOddGuardrail())
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => lane.behave({}))

  /** From now on these are asked; a busy machine may take its time. */
  async function guard(...rules: readonly object[]): Promise<void> {
    const guardrails = rules.map((rule) => ({ mode: 'mask', timeout_ms: 10_000, ...rule }))
    dataOf(await world.admin.put('/admin/ai/gateway', { guardrails }))
  }

  const chat = (body: object, key = world.one.key) => world.chat(key, { model: 'plain', ...body })
  const told = async () => JSON.stringify((await lane.seen()).at(-1)?.body)
  const refusal = ({ status, frames }: Awaited<ReturnType<typeof chat>>) => [status, frames.at(-1)?.error?.code]
  const outcomes = async () => {
    const { items } = dataOf(await world.one.owner.get('/admin/ai/usage')) as unknown as {
      readonly items: readonly {
        readonly outcome: string
        readonly output_tokens: number
      }[]
    }
    return items
  }

  it('mask what goes to the model, and what it answers: whole, streamed, in every piece', async () => {
    await guard({ plugin: cards, phase: phases })
    const asked = await chat({ messages: pay })
    assert.deepEqual(
      [asked.text, asked.headers.get('x-ai-guardrails')],
      ['echo: Pay with *** please', `${cards}/cards;input=masked`],
    )
    assert.ok((await told())?.includes('Pay with *** please'))
    const text = `It is ${number}, and 12 more words, and ${number} again`
    await lane.behave({ text })
    const whole = await chat({})
    assert.equal(whole.text, 'It is ***, and 12 more words, and *** again')
    assert.equal(whole.headers.get('x-ai-guardrails'), `${cards}/cards;output=masked`)
    const streamed = await chat({ stream: true })
    assert.equal(streamed.text, 'It is ***, and 12 more words, and *** again')
    assert.ok(!streamed.raw.includes('1111') && streamed.raw.endsWith('data: [DONE]\n\n'))
    assert.ok(streamed.frames.some(({ choices = [] }) => choices.some((choice) => choice.finish_reason === 'stop')))
  })

  it('see all that a model reads: tools, schemas, thoughts that the client says, fields that nobody names', async () => {
    await guard({ plugin: cards, phase: ['input'] })
    const schema = {
      type: 'object',
      properties: { to: { type: 'string', description: `As ${number}`, enum: [number, 'other'] }, description: {} },
    }
    const thought = { role: 'assistant', content: 'Yes.', reasoning_content: `It is ${number}`, x_own: 'kept' }
    const asked = await chat({
      messages: [{ role: 'user', content: 'Go on' }, thought, { role: 'user', content: 'And then?' }],
      tools: [{ type: 'function', function: { name: 'pay', description: `Pays ${number}`, parameters: schema } }],
      response_format: { type: 'json_schema', json_schema: { name: 'paid', schema: { title: number } } },
      prediction: { type: 'content', content: [{ type: 'text', text: `Paid ${number}` }] },
    })
    assert.equal(asked.headers.get('x-ai-guardrails'), `${cards}/cards;input=masked`, asked.raw)
    const body = await told()
    assert.ok(body && !body.includes('1111'), body)
    for (const said of ['Pays ***', 'As ***', '"enum":["***","other"]', 'It is ***', '"title":"***"', 'Paid ***'])
      assert.ok(body.includes(said), `${said} in ${body}`)
    await chat({
      messages: [
        { role: 'user', content: 'Go on' },
        { ...thought, reasoning_content: 'It is so' },
      ],
    })
    assert.ok((await told())?.includes('"x_own":"kept"'), 'what nobody changed goes on as it came')
  })

  it('refuse where the settings say so, before anything is sent or in the stream, and never say what they found', async () => {
    await guard({ plugin: cards, guardrail: 'cards', phase: phases, mode: 'block' })
    const before = (await lane.seen()).length
    for (const stream of [false, true]) {
      const asked = await chat({ messages: longPay, stream })
      assert.deepEqual(refusal(asked), [400, 'content_blocked'])
      assert.ok(asked.raw.includes(`${cards}/cards (card_number)`) && !asked.raw.includes('1111'))
    }
    assert.equal((await lane.seen()).length, before)
    const blocked = async () => (await outcomes()).filter(({ outcome }) => outcome === 'blocked')
    await until(async () => (await blocked()).length === 2)
    // What they took of the CPU is measured by shares, and may round to nothing on a busy machine: see below.
    for (const row of await blocked()) assert.equal(row.output_tokens, 0)
    await lane.behave({ text: `These are words that come before it: ${number}, and others behind` })
    assert.deepEqual(refusal(await chat({})), [400, 'content_blocked'])
    const streamed = await chat({ stream: true })
    assert.deepEqual(refusal(streamed), [200, 'content_blocked'])
    assert.ok(!streamed.raw.includes('1111'))
    assert.ok(streamed.raw.endsWith('data: [DONE]\n\n'))
    await until(async () => (await blocked()).length === 4)
    assert.equal((await blocked()).filter(({ output_tokens: tokens }) => tokens > 0).length, 2)
  })

  it('keep out tokens to be embedded, which they cannot read, but where they only note what they see', async () => {
    const providers = dataOf(await world.admin.get('/admin/ai/providers?q=plain')) as unknown as {
      readonly items: readonly { readonly id: string }[]
    }
    const about = { kind: 'embedding', provider_id: providers.items[0]?.id, upstream_model: 'up-small' }
    dataOf(
      await world.admin.post('/admin/ai/models', { name: 'small', ...about, price: { input: '1', output: '0' } }),
      201,
    )
    const headers = { authorization: `Bearer ${world.one.key}`, 'content-type': 'application/json' }
    const embed = async (input: unknown) => {
      const body = JSON.stringify({ model: 'small', input })
      return fetch(`${world.host.url}/v1/embeddings`, { method: 'POST', headers, body })
    }
    await guard({ plugin: cards, phase: ['input'], mode: 'flag' })
    assert.equal((await embed([[1, 2, 3]])).status, 200)
    await guard({ plugin: cards, phase: ['input'], on_error: 'open' })
    const refused = await embed([[1, 2, 3]])
    assert.deepEqual([refused.status, (await refused.text()).includes('(tokens)')], [400, true])
    assert.equal((await embed(['one'])).status, 200)
  })

  it('only note what they found where the settings say so', async () => {
    await guard({ plugin: cards, phase: phases, mode: 'flag' })
    const asked = await chat({ messages: pay })
    assert.equal(asked.text, `echo: Pay with ${number} please`)
    const findings = async () => {
      const { items } = dataOf(await world.one.owner.get('/admin/ai/health/logs?limit=1')) as unknown as {
        readonly items: readonly {
          readonly findings: readonly { readonly phase: string; readonly outcome: string }[]
        }[]
      }
      return items[0]?.findings.map(({ phase, outcome }) => `${phase} ${outcome}`)
    }
    await until(async () => (await findings())?.join() === 'input flagged,output flagged')
    assert.equal(asked.headers.get('x-ai-guardrails'), `${cards}/cards;input=flagged, ${cards}/cards;output=flagged`)
  })

  it('without an eye for streams see a streamed answer when it is whole, before anybody else does', async () => {
    await guard({ plugin: odd, phase: ['output'] })
    await lane.behave({ text: 'one two three the secret is out' })
    const streamed = await chat({ stream: true })
    assert.deepEqual([refusal(streamed), streamed.text], [[200, 'content_blocked'], ''])
    await lane.behave({ text: 'one two three' })
    assert.equal((await chat({ stream: true })).text, 'one two three')
  })

  it('that fail keep the request out, or let it pass where that was said', async () => {
    const ask = (content: string) => chat({ messages: [{ role: 'user', content }] })
    await guard({ plugin: odd, phase: ['input'] })
    assert.deepEqual(refusal(await ask('forbidden')), [400, 'content_blocked'])
    for (const word of ['throw', 'nonsense']) assert.deepEqual(refusal(await ask(word)), [503, 'guardrail_failed'])
    await guard({ plugin: odd, phase: ['input'], on_error: 'open' })
    const open = await ask('throw')
    assert.deepEqual([open.text, open.headers.get('x-ai-guardrails')], ['echo: throw', `${odd}/odd;input=failed`])
  })

  it('judge in the tenant that asks, of the whole site or of those that have the plugin, and never ask models themselves', async () => {
    const who = [{ role: 'user', content: `who has ${number}` }]
    await guard({ plugin: odd, phase: ['input'] })
    for (const { key, code } of [
      { key: world.one.key, code: 'one' },
      { key: world.two.key, code: 'two' },
    ]) {
      const asked = await chat({ messages: who }, key)
      assert.ok(asked.raw.includes(`(tenant_${code})`), asked.raw)
    }
    await guard({ plugin: cards, phase: ['input'] })
    assert.equal((await chat({ messages: who }, world.two.key)).text, `echo: who has ${number}`)
    await assign(world.admin, world.two, cards)
    assert.equal((await chat({ messages: who }, world.two.key)).text, 'echo: who has ***')
    dataOf(await world.two.owner.post(`/tenant/plugins/${cards}/disable`))
    assert.equal((await chat({ messages: who }, world.two.key)).text, `echo: who has ${number}`)
  })

  it('count what they take of the CPU: with nothing left of it no call is let in', async () => {
    await guard({ plugin: cards, phase: phases })
    // The request and the answer are let in each while a millisecond is left.
    const quota = { name: 'a moment', tenant_id: world.one.id, metric: 'sandbox_ms', limit: '2' }
    const path = `/admin/ai/quotas/${textOf(dataOf(await world.admin.post('/admin/ai/quotas', quota), 201)['id'])}`
    assert.equal((await chat({ messages: pay })).status, 200)
    const used = async () => {
      const { buckets } = dataOf(await world.admin.get(`${path}/usage`)) as unknown as { buckets: { used: string }[] }
      return Number(buckets[0]?.used)
    }
    // Each takes a little, which a clock of the CPU may miss; what is left is used up by others.
    await until(async () => {
      if ((await used()) >= 2) return true
      await chat({ messages: longPay })
      return false
    })
    for (let turn = 0; turn < 2; turn++) {
      assert.deepEqual(refusal(await chat({ messages: pay })), [429, 'quota_exceeded'])
      // What they took of it for a request that was refused afterwards counts too.
      await until(async () => (await used()) >= 2)
    }
    // Without a plugin in its way a call takes none of it.
    await guard()
    assert.equal((await chat({})).status, 200)
    dataOf(await world.admin.put(path, { status: 'disabled' }))
  })

  it('are named in the settings only where a plugin brings them, and keep calls out while that is away', async () => {
    const put = (rule: object) => world.admin.put('/admin/ai/gateway', { guardrails: [{ mode: 'mask', ...rule }] })
    assert.equal(refusalOf(await put({ plugin: 'acme.none', phase: ['input'] })).code, 4229)
    assert.equal(refusalOf(await put({ plugin: odd, phase: ['output_stream'] })).code, 4229)
    await guard({ plugin: odd, phase: ['input'] })
    dataOf(await world.admin.post(`/admin/plugins/${odd}/disable`))
    assert.deepEqual(refusal(await chat({})), [503, 'guardrail_failed'])
    dataOf(await world.admin.post(`/admin/plugins/${odd}/enable`))
    assert.equal((await chat({})).status, 200)
    await guard()
    assert.equal((await chat({})).headers.get('x-ai-guardrails'), null)
  })
})
