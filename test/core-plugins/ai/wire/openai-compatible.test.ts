import assert from 'node:assert/strict'
import { AnswerCollector, answerEvents } from '../../../../core-plugins/ai/wire/answer.ts'
import { UpstreamFaultError } from '../../../../core-plugins/ai/wire/vendor.ts'
import { openAiCompatible } from '../../../../core-plugins/ai/wire/vendors/openai-compatible/vendor.ts'
import { vendorOf } from '../../../../core-plugins/ai/wire/vendors/vendor-of.ts'

const head = { id: 'chatcmpl-9', object: 'chat.completion.chunk', created: 1, model: 'gpt-x-2026' }
const delta = (value: object, finish: string | null = null): string =>
  JSON.stringify({ ...head, choices: [{ index: 0, delta: value, finish_reason: finish }] })
const chunks = [
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning_content: 'Hm.' }),
  delta({ content: 'Hel' }),
  delta({ content: 'lo' }),
  delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
  delta({}, 'tool_calls'),
  JSON.stringify({
    ...head,
    choices: [],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, prompt_tokens_details: { cached_tokens: 2 } },
  }),
]
const whole = {
  id: 'chatcmpl-9',
  model: 'gpt-x-2026',
  parts: [
    { type: 'reasoning', vendor: 'openai_compatible', text: 'Hm.' },
    { type: 'text', text: 'Hello' },
    { type: 'tool_call', id: 'call_1', name: 'look', arguments: '{"at":1}' },
  ],
  finish: 'tool_calls',
  usage: { inputTokens: 7, cachedInputTokens: 2, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 },
}

describe('a vendor that is compatible with OpenAI', () => {
  it('is read alike from a stream and in one piece', () => {
    const reader = openAiCompatible.reader()
    const collector = new AnswerCollector()
    for (const data of [...chunks, '[DONE]']) for (const event of reader.push({ data })) collector.push(event)
    assert.deepEqual([collector.answer, reader.end()], [whole, 'complete'])
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
    const message = { role: 'assistant', content: 'Hello', reasoning_content: 'Hm.', tool_calls: [call] }
    const usage = {
      prompt_tokens: 7,
      completion_tokens: 5,
      total_tokens: 12,
      prompt_tokens_details: { cached_tokens: 2 },
    }
    const answer = openAiCompatible.readAnswer(
      JSON.stringify({ ...head, choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }),
    )
    assert.deepEqual(answer, whole)
    const again = new AnswerCollector()
    for (const event of answerEvents(answer)) again.push(event)
    assert.deepEqual(again.answer, whole)
  })

  it('that stops without a finish reason was cut off, a terminator or not', () => {
    const reader = openAiCompatible.reader()
    for (const data of [...chunks.slice(0, 4), '[DONE]']) reader.push({ data })
    assert.equal(reader.end(), 'truncated')
  })

  it('gives its own frames to a client of the same wire', () => {
    const reader = openAiCompatible.reader({ frames: true })
    const frames = chunks.flatMap((data) => reader.push({ data })).filter(({ type }) => type === 'frame')
    assert.deepEqual(
      frames,
      chunks.map((data) => ({ type: 'frame', wire: 'chat_completions', data })),
    )
  })

  it('fails in the middle of a stream by an error frame, and by garbage', () => {
    const fail = (data: string): void => void openAiCompatible.reader().push({ data })
    const has = (kind: string) => (error: unknown) => error instanceof UpstreamFaultError && error.class === kind
    assert.throws(() => fail('{"error":{"message":"busy","code":"rate_limit_exceeded"}}'), has('rate_limit'))
    assert.throws(() => fail('{"error":{"message":"oops"}}'), has('server'))
    assert.throws(() => fail('<html>'), has('bad_response'))
    assert.throws(() => openAiCompatible.readAnswer('{"choices":[]}'), has('bad_response'))
  })

  it('refuses in ways that are told apart', () => {
    const fault = (status: number, error: object = {}, headers = {}): unknown =>
      openAiCompatible.fault(status, headers, JSON.stringify({ error: { message: 'no', ...error } }))
    assert.deepEqual(fault(429, {}, { 'retry-after': '2' }), {
      class: 'rate_limit',
      status: 429,
      message: 'no',
      retryAfterMs: 2000,
    })
    const key = fault(401, { message: 'Incorect API key provided: sk-secret' })
    assert.deepEqual(key, { class: 'auth', status: 401, message: 'The credential was refused' })
    assert.deepEqual(fault(400, { code: 'context_length_exceeded' }), {
      class: 'context_length',
      status: 400,
      message: 'no',
    })
    assert.deepEqual(fault(400), { class: 'bad_request', status: 400, message: 'no' })
    assert.deepEqual(fault(503), { class: 'overloaded', status: 503, message: 'no' })
    assert.deepEqual(openAiCompatible.fault(500, {}, '<html>'), { class: 'server', status: 500, message: '' })
  })

  it('reports usage that makes no sense as none', () => {
    const reader = openAiCompatible.reader()
    const odd = [
      { prompt_tokens: 7, completion_tokens: -4, total_tokens: 3 },
      { prompt_tokens: -1 },
      { prompt_tokens: 1.5 },
      { prompt_tokens: '7' },
      null,
    ]
    const events = odd.flatMap((usage) => reader.push({ data: JSON.stringify({ ...head, choices: [], usage }) }))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['start'],
    )
  })

  it('embeds in base64 or in digits', () => {
    const bytes = Buffer.alloc(8)
    bytes.writeFloatLE(0.5, 0)
    bytes.writeFloatLE(-2, 4)
    const data = [
      { index: 1, embedding: [1, 2] },
      { index: 0, embedding: bytes.toString('base64') },
    ]
    const read = openAiCompatible.readEmbeddings?.(
      JSON.stringify({ data, usage: { prompt_tokens: 3, total_tokens: 3 } }),
    )
    assert.deepEqual(read?.vectors, [
      [0.5, -2],
      [1, 2],
    ])
    assert.equal(read.usage?.inputTokens, 3)
  })

  it('has relatives with a header or a word of their own', () => {
    const request = { model: 'm', messages: [], stream: false, includeUsage: false, extra: {} }
    const options = { upstreamModel: 'x', secrets: { api_key: 'k' }, maxOutputTokens: 5 }
    const callOf = (type: string): unknown => {
      const call = vendorOf(type)?.chat(request, options)
      const headers: Record<string, string> = { ...call?.headers }
      delete headers['content-type']
      return { headers, ...(JSON.parse(call?.body ?? '') as object) }
    }
    const said = { model: 'x', messages: [] }
    assert.deepEqual(callOf('openai_compatible'), {
      headers: { authorization: 'Bearer k' },
      ...said,
      max_completion_tokens: 5,
    })
    assert.deepEqual(callOf('azure_openai'), { headers: { 'api-key': 'k' }, ...said, max_completion_tokens: 5 })
    assert.deepEqual(callOf('ollama'), { headers: { authorization: 'Bearer k' }, ...said, max_tokens: 5 })
    assert.equal(vendorOf('acme.llm'), undefined)
  })
})
