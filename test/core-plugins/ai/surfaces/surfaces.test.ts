import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { until } from '../../../support/until.ts'
import { surfaceWorld, vendors } from './world.ts'

const hello = [{ role: 'user' as const, content: 'one two three four five six' }]

describe('the surfaces that clients of OpenAI and Anthropic speak to', () => {
  let world: Awaited<ReturnType<typeof surfaceWorld>>
  let openai: OpenAI
  let claude: Anthropic
  before(async () => {
    world = await surfaceWorld()
    openai = new OpenAI({ apiKey: 'sk-all', baseURL: `${world.url}/v1`, maxRetries: 0 })
    claude = new Anthropic({ apiKey: 'sk-all', baseURL: world.url, maxRetries: 0 })
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(() => world.lane.behave({}))

  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${world.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-all', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const told = async (answer: Response): Promise<unknown> => {
    const { error } = (await answer.json()) as { error: { type: string; code: string; param?: string | null } }
    return [answer.status, error.type, error.code, error.param ?? null]
  }

  it('list the models of the key, in the form that the client reads', async () => {
    const ids = (await openai.models.list()).data.map(({ id }) => id)
    assert.deepEqual(ids.toSorted(), [...vendors, 'demo'].flatMap((name) => [name, `embed-${name}`]).toSorted())
    const page = await claude.models.list()
    assert.deepEqual([page.data[0]?.type, page.data[0]?.display_name], ['model', 'The openai_compatible'])
    assert.equal((await openai.models.retrieve('gemini-alias')).id, 'gemini-alias')
    const few = new OpenAI({ apiKey: 'sk-gemini', baseURL: `${world.url}/v1`, maxRetries: 0 })
    assert.deepEqual(
      (await few.models.list()).data.map(({ id }) => id),
      ['gemini'],
    )
    await assert.rejects(few.models.retrieve('anthropic'), OpenAI.NotFoundError)
    const listed = async (apiKey: string): Promise<readonly string[]> => {
      const { data } = await new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 }).models.list()
      return data.map(({ id }) => id)
    }
    assert.deepEqual(await listed('sk-chat'), [...vendors, 'demo'], 'a key for chats has no models that make vectors')
    assert.deepEqual(await listed('sk-alias'), ['demo-alias'], 'what a key may call by an alias alone is called so')
  })

  it('refuse in their dialect’s own form, by the name of the field', async () => {
    const chat = { model: 'anthropic', messages: hello }
    assert.deepEqual(await told(await post('/chat/completions', '{')), [
      400,
      'invalid_request_error',
      'malformed_body',
      null,
    ])
    const none = await post('/chat/completions', { ...chat, messages: [] })
    assert.deepEqual(await told(none), [400, 'invalid_request_error', 'request_field_invalid', 'messages'])
    const hosted = await post('/responses', { model: 'gemini', input: 'Hi', tools: [{ type: 'web_search' }] })
    assert.deepEqual(await told(hosted), [400, 'invalid_request_error', 'request_field_invalid', 'tools[0].type'])
    const json = await post('/chat/completions', { ...chat, response_format: { type: 'json_object' } })
    assert.deepEqual(await told(json), [400, 'invalid_request_error', 'cannot_carry', 'response_format'])
    const key = await post('/chat/completions', chat, { authorization: 'Bearer sk-nobody' })
    assert.deepEqual(((await told(key)) as unknown[]).slice(0, 2), [401, 'authentication_error'])
    for (const path of ['/chat/completions', '/responses', '/messages', '/messages/count_tokens', '/embeddings']) {
      const unread = await post(path, '{', { authorization: 'Bearer sk-nobody' })
      assert.equal(unread.status, 401, `the body of ${path} is not taken before the key is known`)
    }
    const scope = await post('/chat/completions', chat, { authorization: 'Bearer sk-list' })
    assert.deepEqual(await told(scope), [403, 'permission_error', 'api_key_scope', null])
    const model = await post('/chat/completions', chat, { authorization: 'Bearer sk-gemini' })
    assert.deepEqual(((await told(model)) as unknown[]).slice(0, 3), [403, 'permission_error', 'model_not_allowed'])
    for (const [by, code] of Object.entries({ 'sk-chat': 'api_key_scope', 'sk-gemini': 'model_not_allowed' })) {
      const answer = await post('/embeddings', { model: 'embed-demo', input: 'a' }, { authorization: `Bearer ${by}` })
      assert.deepEqual(((await told(answer)) as unknown[]).slice(0, 3), [403, 'permission_error', code])
    }
    assert.deepEqual(((await told(await post('/nowhere', {}))) as unknown[]).slice(0, 2), [404, 'not_found_error'])
    const unknown = await post('/chat/completions', { ...chat, model: 'nobody' })
    assert.deepEqual(((await told(unknown)) as unknown[]).slice(0, 2), [404, 'not_found_error'])
    await assert.rejects(
      claude.messages.create({ model: 'nobody', max_tokens: 9, messages: hello }),
      Anthropic.NotFoundError,
    )
    const anthropic = await post('/messages', { model: 'gemini', messages: hello })
    const body = (await anthropic.json()) as { type: string; error: { type: string } }
    assert.deepEqual([anthropic.status, body.type, body.error.type], [400, 'error', 'invalid_request_error'])
  })

  it('say which model answered, and what was left out', async () => {
    const answer = await post('/chat/completions', {
      model: 'gemini',
      messages: hello,
      logit_bias: { 1: 1 },
      user: 'u',
    })
    const said = ['x-ai-model', 'x-ai-provider', 'x-ai-attempts', 'x-ai-route', 'x-ai-dropped-params']
    const saidBy = ({ headers }: Response): unknown => said.map((name) => headers.get(name))
    assert.deepEqual(saidBy(answer), ['gemini', 'gemini', '1', 'none', 'logit_bias, user'])
    assert.ok(answer.headers.get('x-trace-id'))
    const vectors = await post('/embeddings', { model: 'embed-gemini', input: 'Hi', user: 'u', sparkle: 1 })
    assert.deepEqual(saidBy(vectors), ['embed-gemini', 'gemini', '1', 'none', 'sparkle, user'])
    await world.lane.behave({ trouble: { kind: 'status', status: 400 } })
    const refused = await post('/chat/completions', { model: 'gemini', messages: hello })
    assert.deepEqual([refused.status, saidBy(refused)], [400, ['gemini', 'gemini', '1', 'none', null]])
  })

  it('embed in digits and in base64', async () => {
    for (const model of ['embed-openai_compatible', 'embed-gemini', 'embed-demo']) {
      const asked = { model, input: ['a', 'bc'], dimensions: 8 }
      const base64 = await openai.embeddings.create(asked)
      const digits = await openai.embeddings.create({ ...asked, encoding_format: 'float' })
      assert.deepEqual(
        base64.data.map(({ embedding }) => embedding.length),
        [8, 8],
      )
      const [a, b] = [base64.data[1]?.embedding ?? [], digits.data[1]?.embedding ?? []]
      assert.deepEqual(
        a.map((each) => each.toFixed(5)),
        b.map((each) => each.toFixed(5)),
      )
    }
    await assert.rejects(openai.embeddings.create({ model: 'embed-anthropic', input: 'a' }), OpenAI.BadRequestError)
    await assert.rejects(openai.embeddings.create({ model: 'embed-gemini', input: '' }), OpenAI.BadRequestError)
  })

  it('refuse by the name of the model what it is not there for', async () => {
    const before = (await world.lane.seen()).length
    const lacks = [400, 'invalid_request_error', 'model_lacks', 'model']
    assert.deepEqual(await told(await post('/embeddings', { model: 'gemini', input: 'a' })), lacks)
    const model = 'embed-gemini'
    assert.deepEqual(await told(await post('/chat/completions', { model, messages: hello })), lacks)
    assert.deepEqual(await told(await post('/responses', { model, input: 'Hi' })), lacks)
    const counted = async (named: string, key = 'sk-all'): Promise<unknown> =>
      (await post('/messages/count_tokens', { model: named, messages: hello }, { authorization: `Bearer ${key}` }))
        .status
    assert.deepEqual(
      [await counted(model), await counted('nobody'), await counted('demo', 'sk-gemini'), await counted('agent:any')],
      [400, 404, 403, 200],
    )
    const call = { role: 'assistant', function_call: { name: 'look', arguments: '{}' } }
    const old = await post('/chat/completions', { model: 'gemini', messages: [...hello, call] })
    assert.deepEqual(((await told(old)) as unknown[])[3], 'messages[1].function_call')
    assert.equal((await world.lane.seen()).length, before)
  })

  it('count tokens without calling a model', async () => {
    const before = (await world.lane.seen()).length
    const { input_tokens: few } = await claude.messages.countTokens({ model: 'anthropic', messages: hello })
    const { input_tokens: more } = await claude.messages.countTokens({
      ...{ model: 'anthropic', messages: hello, system: 'Be as brief as you can, whatever happens.' },
    })
    assert.ok(few > 0 && more > few)
    assert.equal((await world.lane.seen()).length, before)
  })

  it('go on with a response that was kept, for the key that began it alone', async () => {
    const model = 'openai_compatible'
    const first = await openai.responses.create({ model, input: 'My name is Ann', instructions: 'Be brief.' })
    const second = await openai.responses
      .stream({ model, input: 'And now?', previous_response_id: first.id })
      .finalResponse()
    assert.equal(second.previous_response_id, first.id)
    const body = (await world.lane.seen()).at(-1)?.body as { messages: { role: string; content: string }[] }
    assert.deepEqual(
      body.messages.map(({ role, content }) => [role, content]),
      [
        ['user', 'My name is Ann'],
        ['assistant', 'echo: My name is Ann'],
        ['user', 'And now?'],
      ],
    )
    assert.equal(
      (await openai.responses.create({ model, input: 'Hi', previous_response_id: second.id })).status,
      'completed',
    )
    const other = await post(
      '/responses',
      { model: 'gemini', input: 'Hi', previous_response_id: first.id },
      { authorization: 'Bearer sk-other' },
    )
    assert.deepEqual(((await told(other)) as unknown[])[3], 'previous_response_id')
    const gone = await openai.responses.create({ model, input: 'Hi', store: false })
    const unkept = await post('/responses', { model, input: 'Hi', previous_response_id: gone.id })
    assert.deepEqual(((await told(unkept)) as unknown[])[3], 'previous_response_id')
  })

  it('keep so many responses of a key and no more, and forget the oldest first', async () => {
    const ask = async (): Promise<string> =>
      (await openai.responses.create({ model: 'openai_compatible', input: 'Hello' })).id
    const kept = world.db('ai_responses').queryContext({ tenant: 1 }).where({ key_id: 'key_1' })
    const older = (from: number, to: number, bytes: number): Promise<unknown> =>
      world.db
        .raw(
          `insert into ai_responses (id, tenant_id, key_id, messages, bytes, created_at, expires_at)
           select 'old' || n, 1, 'key_1', '[]', ?, now() - n * interval '1 minute', now() + interval '1 day'
             from generate_series(?::int, ?::int) n`,
          [bytes, from, to],
        )
        .queryContext({ tenant: 1 })
    await older(1, 10_100, 10)
    // A host looks at a key's bound once in so many.
    const ids: string[] = []
    for (let n = 0; n < 33; n++) ids.push(await ask())
    const left = await kept.clone().pluck<string[]>('id')
    assert.ok(left.length <= 10_033 && left.includes('old1') && !left.includes('old10100'), String(left.length))
    await older(20_001, 20_001, 300_000_000)
    for (let n = 0; n < 33; n++) ids.push(await ask())
    const after = await kept.clone().pluck<string[]>('id')
    assert.ok(!after.includes('old20001') && ids.every((id) => after.includes(id)))
  })

  for (const model of vendors) {
    it(`end a stream of ${model} that was cut with an error and the dialect’s own terminator`, async () => {
      await world.lane.behave({ trouble: { kind: 'cut', after: 2 }, pieceMs: 5 })
      const streamed = { model, messages: hello, stream: true, max_tokens: 100 }
      const chat = await (await post('/chat/completions', streamed)).text()
      assert.match(chat, /data: \{"error":\{[^\n]*"code":"upstream_stream_interrupted"[^\n]*\n\ndata: \[DONE\]\n\n$/)
      assert.doesNotMatch(chat, /"finish_reason":"/)
      const message = await (await post('/messages', streamed)).text()
      assert.match(message, /event: error\ndata: \{"type":"error","error":\{"type":"api_error"[^\n]*\n\n$/)
      const response = await (await post('/responses', { model, input: 'one two three four', stream: true })).text()
      assert.match(response, /event: response\.failed\n[^\n]*"status":"failed"[^\n]*\n\n$/)
    })

    it(`tell ${model} at once that a client hung up`, async () => {
      await world.lane.behave({ trouble: { kind: 'stall', after: 2 }, text: `${model} is gone` })
      for (const path of ['/chat/completions', '/messages', '/responses']) {
        const before = (await world.lane.seen()).length
        const gone = new AbortController()
        const answer = await fetch(`${world.url}/v1${path}`, {
          method: 'POST',
          headers: { 'x-api-key': 'sk-all', 'content-type': 'application/json' },
          body: JSON.stringify({
            model,
            stream: true,
            max_tokens: 50,
            ...(path === '/responses' ? { input: 'Hi' } : { messages: hello }),
          }),
          signal: gone.signal,
        })
        await answer.body?.getReader().read()
        gone.abort()
        await until(async () => (await world.lane.seen())[before]?.hungUpAt !== undefined, 5_000)
      }
    })
  }
})
