import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { AnswerCollector } from '../../../../core-plugins/ai/wire/answer.ts'
import type { Dialect } from '../../../../core-plugins/ai/wire/dialect.ts'
import type { NeutralAnswer, NeutralPart } from '../../../../core-plugins/ai/wire/neutral.ts'
import type { WireEvent } from '../../../../core-plugins/ai/wire/vendor.ts'
import { dialects, readerOf, recorded, recordedStreams, recordedVendor, vendorNames } from './recorded.ts'

interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly means: string
  readonly retryAfterMs?: number
}

function read(name: string, events: readonly WireEvent[]) {
  const reader = readerOf(name)
  const steps = events.flatMap((event) => reader.push(event))
  const collector = new AnswerCollector()
  for (const step of steps) collector.push(step)
  return { steps, answer: collector.answer, end: reader.end() }
}

/** Ids that are made up here differ each time. */
function plain(answer: NeutralAnswer): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/call_[0-9a-f]{32}/g, '<made>'))
}

/** What a client shows: what was thought, said and called. */
interface Shown {
  readonly thought: string
  readonly text: string
  readonly calls: readonly (readonly [name: string, values: unknown])[]
}

function shownOf({ parts }: NeutralAnswer): Shown {
  const join = (type: NeutralPart['type']): string =>
    parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [callOf(part.name, part.arguments)] : []))
  return { thought: join('reasoning'), text: join('text'), calls }
}

function callOf(name: string, text: string): readonly [string, unknown] {
  return [name, JSON.parse(text)]
}

/** Official clients as readers of what a dialect writes. */
const readers: Readonly<Record<Dialect['name'], (text: string) => Promise<Shown>>> = {
  async chat_completions(text) {
    const stream = openAi(text).chat.completions.stream({ model: 'm', messages: [] })
    let thought = ''
    stream.on('chunk', ({ choices: [choice] }) => {
      thought += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? ''
    })
    const { content, tool_calls: calls = [] } = await stream.finalMessage()
    const own = calls.flatMap((call) => (call.type === 'function' ? [call.function] : []))
    return { thought, text: content ?? '', calls: own.map(({ name, arguments: values }) => callOf(name, values)) }
  },
  async responses(text) {
    const { output, output_text: said } = await openAi(text)
      .responses.stream({ model: 'm', input: 'Hi' })
      .finalResponse()
    const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
    const calls = output.flatMap((item) => (item.type === 'function_call' ? [callOf(item.name, item.arguments)] : []))
    return { thought: thoughts.map((each) => each.text).join(''), text: said, calls }
  },
  async messages(text) {
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: () => Promise.resolve(streamOf(text)) })
    const { content } = await client.messages.stream({ model: 'm', max_tokens: 9, messages: [] }).finalMessage()
    return {
      thought: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input] as const] : [])),
    }
  },
}

function openAi(text: string): OpenAI {
  return new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: () => Promise.resolve(streamOf(text)) })
}

function streamOf(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

describe('Streams as vendors publish them', () => {
  const answers = recorded('answers.json') as Readonly<Record<string, unknown>>
  const streams = recordedStreams()

  it('are all known', () => {
    assert.deepEqual(streams.map(({ name }) => name).sort(), Object.keys(answers).sort())
  })

  for (const { name, events } of streams) {
    it(`are read of ${name}, and cut off as cut off`, () => {
      const { answer, end } = read(name, events)
      assert.deepEqual([plain(answer), end], [answers[name], 'complete'])
      const ends = events.map((_, at) => read(name, events.slice(0, at)).end)
      const whole = ends.indexOf('complete')
      assert.ok(whole === -1 || ends.slice(whole).every((each) => each === 'complete'))
      const unfinished = whole === -1 ? events.length : whole
      for (let at = 0; at < unfinished; at++) {
        const { steps } = read(name, events.slice(0, at))
        assert.ok(!steps.some(({ type }) => type === 'finish'), `an end is invented after ${at}`)
      }
    })

    for (const dialect of dialects) {
      it(`of ${name} are read by the client of ${dialect.name}`, async () => {
        const { steps, answer } = read(name, events)
        const request = dialect.read(clientOf(dialect))
        const writer = dialect.writer({ id: dialect.newId(), created: 1, model: 'm', request })
        const text = steps.map((step) => writer.write(step)).join('') + writer.end()
        assert.deepEqual(await readers[dialect.name](text), shownOf(answer))
      })
    }
  }
})

function clientOf({ name }: Dialect): unknown {
  return (recorded(`requests/${name}.json`) as Readonly<Record<string, unknown>>)['client']
}

describe('Requests as clients publish them', () => {
  for (const dialect of dialects) {
    for (const name of vendorNames) {
      it(`in ${dialect.name} are what ${name} publishes`, () => {
        const wanted = (recorded(`requests/${dialect.name}.json`) as Readonly<Record<string, unknown>>)[name]
        const request = dialect.read(clientOf(dialect))
        const maxOutputTokens = request.maxOutputTokens ?? 0
        const capabilities = { responses: name === 'openai_responses' }
        const options = { upstreamModel: 'up', secrets: {}, maxOutputTokens, capabilities }
        const { path, dropped, body } = recordedVendor(name).chat(request, options)
        assert.deepEqual({ path, dropped, body: JSON.parse(body ?? '') as unknown }, wanted)
      })
    }
  }
})

describe('Refusals as vendors publish them', () => {
  const errors = recorded('errors.json') as Readonly<Record<string, readonly Refusal[]>>
  for (const [name, refusals] of Object.entries(errors)) {
    it(`of ${name} are told apart`, () => {
      for (const { status, headers, body, means, retryAfterMs } of refusals) {
        const fault = recordedVendor(name).fault(status, headers, JSON.stringify(body))
        assert.deepEqual([fault.class, fault.retryAfterMs], [means, retryAfterMs], JSON.stringify(body))
        assert.equal(fault.status, status)
      }
    })
  }
})
