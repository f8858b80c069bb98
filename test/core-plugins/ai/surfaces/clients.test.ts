import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { surfaceWorld, vendors } from './world.ts'

const parameters = { type: 'object' as const, properties: { about: { type: 'string' as const } }, required: ['about'] }
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('official clients, unchanged', () => {
  let door: Awaited<ReturnType<typeof surfaceWorld>>
  let openai: OpenAI
  let claude: Anthropic
  before(async () => {
    door = await surfaceWorld()
    openai = new OpenAI({ apiKey: 'sk-all', baseURL: `${door.url}/v1`, maxRetries: 0 })
    claude = new Anthropic({ apiKey: 'sk-all', baseURL: door.url, maxRetries: 0 })
  })
  after(() => door[Symbol.asyncDispose]())

  for (const model of vendors) {
    describe(`in front of ${model}`, () => {
      it('openai: chat in one piece, with a picture', async () => {
        const url = `data:image/png;base64,${picture}`
        const answer = await openai.chat.completions.create({
          model,
          messages: [
            { role: 'system', content: 'Be brief.' },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'See' },
                { type: 'image_url', image_url: { url } },
              ],
            },
          ],
        })
        assert.equal(answer.choices[0]?.message.content, `echo: See [image ${url.slice(0, 40)}]`)
        assert.equal(answer.choices[0]?.finish_reason, 'stop')
        assert.ok((answer.usage?.total_tokens ?? 0) > 0)
      })

      it('openai: a stream, with its usage where it is asked for', async () => {
        const asked = { model, messages: [{ role: 'user' as const, content: 'Hello there' }], stream: true as const }
        const read = async (more: object): Promise<{ text: string; usages: number }> => {
          let [text, usages] = ['', 0]
          for await (const chunk of await openai.chat.completions.create({ ...asked, ...more })) {
            text += chunk.choices[0]?.delta.content ?? ''
            if (chunk.usage) usages += 1
          }
          return { text, usages }
        }
        assert.deepEqual(await read({}), { text: 'echo: Hello there', usages: 0 })
        assert.deepEqual(await read({ stream_options: { include_usage: true } }), {
          text: 'echo: Hello there',
          usages: 1,
        })
      })

      it('openai: tools and thoughts over two turns, streamed', async () => {
        const tools = [{ type: 'function' as const, function: { name: 'look', parameters } }]
        const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Please call look' }]
        const ask = () =>
          openai.chat.completions
            .stream({ model, messages, tools, reasoning_effort: 'low', max_tokens: 3000 })
            .finalMessage()
        const first = await ask()
        const call = first.tool_calls?.[0]
        assert.ok(call?.type === 'function')
        assert.deepEqual(
          [call.function.name, JSON.parse(call.function.arguments)],
          ['look', { about: 'Please call look' }],
        )
        messages.push(first, { role: 'tool', tool_call_id: call.id, content: 'a cat' })
        assert.equal((await ask()).content, 'echo: a cat')
      })

      it('openai: responses in one piece, and their stream', async () => {
        const answer = await openai.responses.create({ model, input: 'Hello there', instructions: 'Be brief.' })
        assert.deepEqual([answer.output_text, answer.status], ['echo: Hello there', 'completed'])
        const stream = openai.responses.stream({ model, input: 'Hello there' })
        const numbers: number[] = []
        const types = new Set<string>()
        for await (const event of stream) {
          numbers.push(event.sequence_number)
          types.add(event.type)
        }
        assert.deepEqual(
          numbers,
          numbers.map((_, at) => at),
        )
        assert.equal([...types][0], 'response.created')
        assert.equal([...types].at(-1), 'response.completed')
        assert.equal((await stream.finalResponse()).output_text, 'echo: Hello there')
      })

      it('openai: responses with tools and thoughts over two turns', async () => {
        const tools = [{ type: 'function' as const, name: 'look', parameters, strict: false }]
        const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Please call look' }]
        const ask = () =>
          openai.responses
            .stream({ model, input, tools, reasoning: { effort: 'low', summary: 'auto' }, max_output_tokens: 3000 })
            .finalResponse()
        const first = await ask()
        const call = first.output.find((item) => item.type === 'function_call')
        assert.deepEqual([call?.name, JSON.parse(call?.arguments ?? '')], ['look', { about: 'Please call look' }])
        assert.ok(first.output.some((item) => item.type === 'reasoning'))
        input.push(...(first.output as OpenAI.Responses.ResponseInput), {
          type: 'function_call_output',
          call_id: call?.call_id ?? '',
          output: 'a cat',
        })
        assert.equal((await ask()).output_text, 'echo: a cat')
      })

      it('anthropic: messages in one piece, with a picture', async () => {
        const answer = await claude.messages.create({
          model,
          max_tokens: 100,
          system: 'Be brief.',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'See' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
              ],
            },
          ],
        })
        const wanted = `echo: See [image ${`data:image/png;base64,${picture}`.slice(0, 40)}]`
        assert.deepEqual(
          answer.content.map((block) => block.type === 'text' && block.text),
          [wanted],
        )
        assert.equal(answer.stop_reason, 'end_turn')
        assert.ok(answer.usage.input_tokens > 0)
      })

      it('anthropic: tools and thoughts over two turns, by the stream helper', async () => {
        const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Please call look' }]
        const ask = () =>
          claude.messages
            .stream({
              ...{ model, messages, max_tokens: 3000 },
              tools: [{ name: 'look', input_schema: parameters }],
              thinking: { type: 'enabled', budget_tokens: 1024 },
            })
            .finalMessage()
        const first = await ask()
        const call = first.content.find((block) => block.type === 'tool_use')
        assert.deepEqual([call?.name, call?.input], ['look', { about: 'Please call look' }])
        assert.ok(first.content.some((block) => block.type === 'thinking' && block.thinking === 'I think about it.'))
        assert.equal(first.stop_reason, 'tool_use')
        messages.push(
          { role: 'assistant', content: first.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'a cat' }] },
        )
        const second = await ask()
        assert.equal(second.content.find((block) => block.type === 'text')?.text, 'echo: a cat')
        assert.ok((second.usage.input_tokens ?? 0) > 0)
      })

      it('anthropic: the events of a stream in their order, and a count beforehand', async () => {
        const counted = { model, messages: [{ role: 'user' as const, content: 'Hello there' }] }
        const asked = { ...counted, max_tokens: 100 }
        assert.ok((await claude.messages.countTokens(counted)).input_tokens > 0)
        const types: string[] = []
        for await (const { type } of await claude.messages.create({ ...asked, stream: true })) {
          if (type !== types.at(-1)) types.push(type)
        }
        assert.deepEqual(types, [
          ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
          ...['message_delta', 'message_stop'],
        ])
      })

      it('ai: text, a stream, and tools', async () => {
        const provider = createOpenAICompatible({ name: 'door', baseURL: `${door.url}/v1`, apiKey: 'sk-all' })
        const { text } = await generateText({ model: provider(model), prompt: 'Hello there' })
        assert.equal(text, 'echo: Hello there')
        const stream = streamText({ model: provider(model), prompt: 'Hello there' })
        assert.equal(await stream.text, 'echo: Hello there')
        const look = tool({
          inputSchema: jsonSchema<{ about: string }>(parameters),
          execute: ({ about }) => `saw ${about}`,
        })
        const looked = await generateText({
          ...{ model: provider(model), prompt: 'Please call look', tools: { look }, stopWhen: stepCountIs(3) },
        })
        assert.equal(looked.text, 'echo: saw Please call look')
      })
    })
  }

  it('find the demo that needs no provider, which says what it is', async () => {
    const chat = await openai.chat.completions.create({ model: 'demo', messages: [{ role: 'user', content: 'Hi' }] })
    assert.match(chat.choices[0]?.message.content ?? '', /demo model.*Hi/)
    const tools = [{ name: 'look', input_schema: parameters }]
    const asked = { model: 'demo', max_tokens: 99, messages: [{ role: 'user' as const, content: 'use look' }], tools }
    const message = await claude.messages.stream(asked).finalMessage()
    assert.deepEqual(message.content.find((block) => block.type === 'tool_use')?.input, { about: 'use look' })
  })
})
