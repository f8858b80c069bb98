import assert from 'node:assert/strict'
import type { AnswerAbout } from '../../../../core-plugins/ai/wire/dialect.ts'
import { messages } from '../../../../core-plugins/ai/wire/dialects/messages/dialect.ts'
import { responses } from '../../../../core-plugins/ai/wire/dialects/responses/dialect.ts'
import type { NeutralEvent, NeutralRequest } from '../../../../core-plugins/ai/wire/neutral.ts'
import { writeSeal } from '../../../../core-plugins/ai/wire/seals.ts'
import { sseFrame, SseParser } from '../../../../core-plugins/ai/wire/sse.ts'
import { UpstreamFaultError, type WireEvent } from '../../../../core-plugins/ai/wire/vendor.ts'
import { openAiCompatible } from '../../../../core-plugins/ai/wire/vendors/openai-compatible/vendor.ts'

const options = { upstreamModel: 'o9', secrets: {}, maxOutputTokens: 500, capabilities: { responses: true } }
const encrypted = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm' }],
  encrypted_content: 'gA',
}
const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
const result = { type: 'function_call_output', call_id: 'c1', output: 'a cat' }

function sent(request: NeutralRequest, more: object = {}) {
  const { body, wire, path, dropped } = openAiCompatible.chat(request, { ...options, ...more })
  return { body: JSON.parse(body ?? '') as Readonly<Record<string, unknown>>, wire, path, dropped }
}

function event(type: string, more: object, at = 0): WireEvent {
  return { event: type, data: JSON.stringify({ type, sequence_number: at, ...more }) }
}

function read(events: readonly WireEvent[], frames = false) {
  const reader = openAiCompatible.reader({ wire: 'responses', frames })
  const steps: readonly NeutralEvent[] = events.flatMap((each) => reader.push(each))
  return { steps, end: reader.end() }
}

const asked = { model: 'm', input: 'Hi', previous_response_id: 'resp_before', stream: true }
const about: AnswerAbout = { id: 'resp_own', created: 1, model: 'm', request: responses.read(asked) }
const head = {
  id: 'resp_theirs',
  model: 'o9',
  status: 'in_progress',
  output: [],
  store: false,
  previous_response_id: null,
}
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const begun = [
  event('response.created', { response: head }),
  event('response.output_item.added', { output_index: 0, item }, 1),
  event('response.output_text.delta', { output_index: 0, item_id: 'msg_1', delta: 'one ' }, 2),
]

describe('OpenAI’s responses as a vendor', () => {
  it('get a request as it came, but for what the platform keeps itself', () => {
    const input = [{ role: 'user', content: 'Hi' }, encrypted, call, result]
    const body = { model: 'm', input, instructions: 'Be brief.', sparkle: 1, store: true, previous_response_id: 'r' }
    const { body: told, wire, path, dropped } = sent(responses.read(body))
    assert.deepEqual([wire, path, dropped], ['responses', '/responses', []])
    assert.deepEqual(told, {
      ...{ model: 'o9', input, instructions: 'Be brief.', sparkle: 1, store: false, max_output_tokens: 500 },
      include: ['reasoning.encrypted_content'],
    })
  })

  it('get back what they encrypted, whatever stands between', () => {
    const seal = writeSeal({ vendor: 'openai', id: 'rs_1', encrypted: 'gA' })
    const thinking = { type: 'thinking', thinking: 'Hm', signature: seal }
    const use = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
    const body = {
      ...{ model: 'm', max_tokens: 9, system: 'Be brief.' },
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [thinking, use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a cat' }] },
      ],
    }
    const said = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
    const { body: told } = sent(messages.read(body))
    assert.deepEqual(told['input'], [said('system', 'Be brief.'), said('user', 'Hi'), encrypted, call, result])
    const foreign = { ...encrypted, encrypted_content: writeSeal({ vendor: 'anthropic', signature: 's' }) }
    const mixed = sent(responses.read({ model: 'm', input: [foreign, encrypted, call, result] }))
    assert.deepEqual([mixed.body['input'], mixed.dropped], [[encrypted, call, result], ['messages[0].reasoning']])
  })

  it('are asked for what they encrypt where something is thought', () => {
    const include = (body: object, capabilities: object = {}) =>
      sent(responses.read({ model: 'm', input: 'Hi', ...body }), { capabilities: { responses: true, ...capabilities } })
        .body['include']
    assert.equal(include({}), undefined)
    assert.deepEqual(include({ reasoning: { effort: 'low' } }), ['reasoning.encrypted_content'])
    assert.deepEqual(include({}, { reasoning: true }), ['reasoning.encrypted_content'])
    assert.equal(include({ reasoning: { effort: 'none' } }), undefined)
  })

  it('are not spoken to by what has words that they have not', () => {
    const stops = { model: 'm', max_tokens: 9, stop_sequences: ['x'], messages: [{ role: 'user', content: 'Hi' }] }
    assert.deepEqual(
      [sent(messages.read(stops)).path, sent(messages.read(stops)).wire],
      ['/chat/completions', undefined],
    )
    assert.equal(sent(responses.read(asked), { capabilities: {} }).path, '/chat/completions')
  })

  it('are read to their end, and no further', () => {
    const usage = { input_tokens: 7, output_tokens: 5, input_tokens_details: { cached_tokens: 3 } }
    const cut = { response: { ...head, usage, incomplete_details: { reason: 'content_filter' } } }
    const { steps, end } = read([...begun, event('response.incomplete', cut)])
    const reported = { inputTokens: 7, cachedInputTokens: 3, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 }
    assert.deepEqual(steps, [
      { type: 'start', id: 'resp_theirs', model: 'o9' },
      { type: 'text', text: 'one ' },
      { type: 'usage', usage: reported },
      { type: 'finish', reason: 'content_filter' },
    ])
    assert.deepEqual([end, read(begun).end], ['complete', 'truncated'])
    const failed = { response: { ...head, error: { code: 'rate_limit_exceeded', message: 'slow down' } } }
    assert.throws(() => read([event('response.failed', failed)]), { class: 'rate_limit', message: 'slow down' })
    assert.throws(() => read([event('error', { code: 'server_error', message: 'oh' })]), UpstreamFaultError)
    assert.throws(() => read([{ data: '<html>' }]), UpstreamFaultError)
  })

  it('of open models think in the open', () => {
    const thought = { id: 'rs_2', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] }
    const { steps } = read([
      event('response.output_item.added', { output_index: 0, item: { ...thought, content: [] } }),
      event('response.reasoning_text.delta', { item_id: 'rs_2', delta: 'Hm' }),
      event('response.output_item.done', { output_index: 0, item: thought }),
    ])
    const own = { type: 'reasoning', vendor: 'openai_compatible', id: 'rs_2' }
    assert.deepEqual(steps, [
      { ...own, text: 'Hm' },
      { ...own, done: true },
    ])
    const part = { type: 'reasoning', vendor: 'openai_compatible', text: 'Hm' } as const
    const request = {
      ...responses.read({ model: 'm', input: 'Hi' }),
      messages: [{ role: 'assistant' as const, parts: [part] }],
    }
    const given = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] }
    assert.deepEqual(sent(request).body['input'], [given])
  })
})

describe('A stream of OpenAI’s responses that passes through', () => {
  const write = (events: readonly WireEvent[]) => {
    const writer = responses.writer(about)
    return {
      writer,
      text: read(events, true)
        .steps.map((step) => writer.write(step))
        .join(''),
    }
  }
  const parse = (text: string) =>
    new SseParser().push(Buffer.from(text)).map(({ data }) => JSON.parse(data) as Record<string, unknown>)

  it('is as it came, but for the id that the client goes on with', () => {
    const done = event('response.completed', { response: { ...head, status: 'completed' } }, 3)
    const { writer, text } = write([...begun, done])
    assert.equal(writer.end(), '')
    assert.ok(text.includes(begun.slice(1).map(sseFrame).join('')))
    const own = { ...head, id: 'resp_own', previous_response_id: 'resp_before', store: true }
    assert.deepEqual(parse(text).at(-1)?.['response'], { ...own, status: 'completed' })
  })

  it('ends with what it brought, when it is cut or fails, and the next number', () => {
    const { writer } = write(begun)
    const partial = { ...item, status: 'incomplete', content: [{ type: 'output_text', text: 'one ', annotations: [] }] }
    const [cut] = parse(writer.write({ type: 'finish', reason: 'quota' }))
    const state = ({ type, sequence_number: number, response }: Record<string, unknown> = {}) => {
      const { id, status, output } = response as Record<string, unknown>
      return [type, number, id, status, output]
    }
    assert.deepEqual(state(cut), ['response.incomplete', 3, 'resp_own', 'incomplete', [partial]])
    const error = { status: 502, code: 5021, reason: 'upstream_stream_interrupted', message: 'm', traceId: 't' }
    const [failed] = parse(write(begun).writer.fail(error))
    assert.deepEqual(state(failed), ['response.failed', 3, 'resp_own', 'failed', [partial]])
  })

  it('is one whole answer where no stream is wanted', () => {
    const body = JSON.stringify({
      ...head,
      status: 'completed',
      output: [encrypted, { ...call, id: 'fc_1' }],
      usage: null,
    })
    const answer = openAiCompatible.readAnswer(body, { wire: 'responses', frames: true })
    const parts = [
      { type: 'reasoning', vendor: 'openai', id: 'rs_1', encrypted: 'gA', text: 'Hm' },
      { type: 'tool_call', id: 'c1', name: 'look', arguments: '{}' },
    ]
    assert.deepEqual([answer.parts, answer.finish], [parts, 'tool_calls'])
    const told = JSON.parse(responses.answer(answer, about)) as Record<string, unknown>
    assert.deepEqual([told['id'], told['output']], ['resp_own', [encrypted, { ...call, id: 'fc_1' }]])
  })
})
