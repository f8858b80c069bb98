import assert from 'node:assert/strict'
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import OpenAI from 'openai'
import { textOf } from '../../support/attachments.ts'
import { startWithVendor } from './runs-world.ts'
import { ask, streamOf } from './world.ts'

const question: UIMessage = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'one two three' }] }

describe('Streams of AI agents in the words of others', function () {
  this.timeout(180_000)
  let world: Awaited<ReturnType<typeof startWithVendor>>
  before(async () => (world = await startWithVendor()))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.lane.behave({ text: 'Hello to all of you', pieceMs: 5 }))

  const headers = () => ({ authorization: `Bearer ${world.user.token ?? ''}` })
  const urlOf = (path: string) => `${world.platform.host.url}${path}`

  /** OpenAI's client, whose completions are an agent's. */
  function openAi(): OpenAI {
    return new OpenAI({
      ...{ apiKey: world.user.token ?? '', baseURL: world.platform.host.url, maxRetries: 0 },
      fetch(_, init) {
        const { messages } = JSON.parse(init?.body as string) as { messages: { content: string }[] }
        const body = JSON.stringify({ message: messages.at(-1)?.content })
        return fetch(urlOf(`${streamOf(world.agent)}?format=openai`), { ...init, body })
      },
    })
  }

  async function completion() {
    const chunks: OpenAI.ChatCompletionChunk[] = []
    const stream = await openAi().chat.completions.create({
      ...{ model: 'any', stream: true, messages: [{ role: 'user', content: 'one two three' }] },
    })
    for await (const chunk of stream) chunks.push(chunk)
    return chunks
  }

  /** As `useChat` sends and reads. */
  function transport() {
    return new DefaultChatTransport({
      api: urlOf(`${streamOf(world.agent)}?format=ai-sdk`),
      headers,
      prepareSendMessagesRequest: ({ messages }) => ({
        body: {
          message: messages
            .at(-1)
            ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
            .join(''),
        },
      }),
      prepareReconnectToStreamRequest: ({ id }) => ({
        api: urlOf(`/ai/agent-chat/runs/${id}/events?format=ai-sdk`),
        headers: headers(),
      }),
    })
  }

  const send = () =>
    transport().sendMessages({
      ...{
        trigger: 'submit-message',
        chatId: 'c1',
        messageId: undefined,
        messages: [question],
        abortSignal: undefined,
      },
    })

  async function messageIn(stream: ReadableStream<UIMessageChunk>) {
    let last: UIMessage | undefined
    let failure: unknown
    const onError = (error: unknown): void => void (failure = error)
    for await (const message of readUIMessageStream({ stream, onError, terminateOnError: false })) last = message
    return { message: last, failure }
  }

  it('are read by the client of OpenAI', async () => {
    const chunks = await completion()
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), 'Hello to all of you')
    const finished = chunks.filter(({ choices }) => (choices[0]?.finish_reason ?? null) !== null)
    assert.deepEqual(
      finished.map(({ choices }) => choices[0]?.finish_reason),
      ['stop'],
    )
    assert.ok((chunks.at(-1)?.usage?.completion_tokens ?? 0) > 0)
    await world.lane.behave({ trouble: { kind: 'cut', after: 2 } })
    await assert.rejects(
      completion(),
      (error) => error instanceof OpenAI.APIError && /middle of its answer/.test(error.message),
    )
  })

  it('are read by the transport of useChat, which can come back to a run', async () => {
    const { message, failure } = await messageIn(await send())
    assert.equal(failure, undefined)
    const texts = message?.parts.flatMap((part) => (part.type === 'text' ? [[part.text, part.state]] : []))
    assert.deepEqual(texts, [['Hello to all of you', 'done']])
    const { run_id: runId } = message?.metadata as { run_id: string }
    const again = await transport().reconnectToStream({ chatId: runId })
    assert.ok(again)
    const { message: same } = await messageIn(again)
    assert.deepEqual([same?.id, same?.parts], [message?.id, message?.parts])
    await world.lane.behave({ trouble: { kind: 'cut', after: 2 } })
    const broken = await messageIn(await send())
    assert.match(String((broken.failure as Error).message), /middle of its answer/)
  })

  it('tell the same as whole answers do', async () => {
    const whole = await ask(world.user, world.agent, { message: 'one two three' })
    const { message } = await messageIn(await send())
    const text = message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    assert.equal(text, textOf(whole['message']?.['content']))
  })
})
