import assert from 'node:assert/strict'
import { AppError } from '#kernel'
import type { NeutralEvent } from '../../../../core-plugins/ai/wire/neutral.ts'
import { chatCompletions } from '../../../../core-plugins/ai/wire/dialects/chat-completions/dialect.ts'
import { openAiCompatible } from '../../../../core-plugins/ai/wire/vendors/openai-compatible/vendor.ts'

const conversation = {
  model: 'chat-fast',
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'a cat' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: { at: { type: 'integer' } } },
      },
    },
  ],
  max_tokens: 50,
  logit_bias: { 7: 1 },
}
const options = { upstreamModel: 'gpt-x', secrets: { api_key: 'sk-1' }, maxOutputTokens: 40 }

function refusalOf(body: unknown): readonly unknown[] | undefined {
  try {
    chatCompletions.read(body)
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.errors?.[0]?.field]
    throw error
  }
  return undefined
}

describe('chat completions', () => {
  it('reach a vendor of the same wire as they came, with its model and the limit that was held', () => {
    const call = openAiCompatible.chat(chatCompletions.read(conversation), options)
    assert.deepEqual(JSON.parse(call.body ?? ''), { ...conversation, model: 'gpt-x', max_tokens: 40 })
    assert.deepEqual(
      [call.method, call.path, call.headers['authorization'], call.dropped],
      ['POST', '/chat/completions', 'Bearer sk-1', []],
    )
  })

  it('say the same when the messages were changed on the way', () => {
    const request = chatCompletions.read(conversation)
    const call = openAiCompatible.chat({ ...request, messages: [...request.messages] }, options)
    assert.deepEqual(JSON.parse(call.body ?? ''), { ...conversation, model: 'gpt-x', max_tokens: 40 })
  })

  it('always ask for the usage of a stream', () => {
    const call = openAiCompatible.chat(chatCompletions.read({ ...conversation, stream: true }), options)
    const body = JSON.parse(call.body ?? '') as { stream_options: unknown }
    assert.deepEqual(body.stream_options, { include_usage: true })
  })

  it('are refused by the name of the field', () => {
    assert.deepEqual(refusalOf([]), [400, 'body'])
    assert.deepEqual(refusalOf({ messages: [] }), [400, 'messages'])
    assert.deepEqual(refusalOf({ ...conversation, model: '' }), [400, 'model'])
    assert.deepEqual(refusalOf({ ...conversation, n: 2 }), [400, 'n'])
    assert.deepEqual(refusalOf({ ...conversation, temperature: 3 }), [400, 'temperature'])
    assert.deepEqual(refusalOf({ ...conversation, messages: [{ role: 'robot', content: '' }] }), [
      400,
      'messages[0].role',
    ])
    const video = [{ role: 'user', content: [{ type: 'video' }] }]
    assert.deepEqual(refusalOf({ ...conversation, messages: video }), [400, 'messages[0].content[0].type'])
    assert.deepEqual(refusalOf({ ...conversation, tools: [{ type: 'web_search' }] }), [400, 'tools[0].type'])
  })

  it('stream text, thoughts, calls and usage', () => {
    const about = {
      id: 'chatcmpl-1',
      created: 5,
      model: 'chat-fast',
      request: chatCompletions.read({ ...conversation, stream: true, stream_options: { include_usage: true } }),
    }
    const writer = chatCompletions.writer(about)
    const usage = { inputTokens: 9, cachedInputTokens: 4, cacheWriteTokens: 0, outputTokens: 3, reasoningTokens: 1 }
    const events: readonly NeutralEvent[] = [
      { type: 'start', id: 'x', model: 'y' },
      { type: 'reasoning', vendor: 'anthropic', text: 'Hm.' },
      { type: 'reasoning', vendor: 'anthropic', signature: 'S', done: true },
      { type: 'text', text: 'A ' },
      { type: 'tool_call', index: 0, id: 'call_1', name: 'look' },
      { type: 'tool_call', index: 0, arguments: '{}' },
      { type: 'usage', usage },
      { type: 'finish', reason: 'tool_calls' },
    ]
    const text = events.map((event) => writer.write(event)).join('') + writer.end()
    const frames = text
      .split('\n\n')
      .filter((frame) => frame !== '')
      .map((frame) => frame.slice('data: '.length))
    assert.equal(frames.pop(), '[DONE]')
    const chunks = frames.map(
      (frame) =>
        JSON.parse(frame) as { choices: { delta: object; finish_reason: unknown }[]; usage?: unknown; model: string },
    )
    assert.deepEqual([...new Set(chunks.map(({ model }) => model))], ['chat-fast'])
    assert.deepEqual(
      chunks.map(({ choices }) => choices[0]?.delta),
      [
        { role: 'assistant', reasoning_content: 'Hm.' },
        { content: 'A ' },
        { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 'S', format: 'anthropic', index: 0 }] },
        {},
        undefined,
      ],
    )
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'tool_calls')
    assert.deepEqual(chunks.at(-1)?.usage, {
      ...{ prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
      ...{ prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 1 } },
    })
  })

  it('that fail half-way end with the error and the terminator, and no reason to finish', () => {
    const writer = chatCompletions.writer({
      id: 'c',
      created: 1,
      model: 'm',
      request: chatCompletions.read(conversation),
    })
    const text =
      writer.write({ type: 'text', text: 'A' }) +
      writer.fail({
        status: 502,
        code: 5021,
        reason: 'upstream_stream_interrupted',
        message: 'It stopped',
        traceId: 't',
      })
    assert.match(
      text,
      /data: \{"error":\{"message":"It stopped","type":"upstream_error","param":null,"code":"upstream_stream_interrupted","trace_id":"t"\}\}\n\ndata: \[DONE\]\n\n$/,
    )
    assert.doesNotMatch(text, /"finish_reason":"/)
  })
})
