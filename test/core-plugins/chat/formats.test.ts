import assert from 'node:assert/strict'
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import OpenAI from 'openai'
import { textOf } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { makeAgent } from '../agents/world.ts'
import { addReady, makeBase } from '../knowledge/world.ts'
import { startWithVendor } from './runs-world.ts'
import { ask, kindsOf, stream, streamOf } from './world.ts'

const plugin = 'acme.formats'
const text = { default: 'A text' }
const manifest = {
  scope: 'platform',
  capabilities: ['ai:tool', 'ai:guardrail'],
  reasons: { 'ai:tool': 'Empties a safe.', 'ai:guardrail': 'Tries the platform.' },
  provides: {
    aiTools: [{ name: 'safe_empty', description: text, input: { type: 'object' }, handler: 'open', effect: 'write' }],
    aiGuardrails: [{ code: 'odd', title: { default: 'Odd' }, handlers: { output: 'output' } }],
  },
}
const definition = `{
  aiTools: { open: () => ({ content: 'emptied' }) },
  aiGuardrails: {
    output: ({ texts: [{ text }] }) => text.includes('unspeakable') ? { verdict: 'block', reason: 'unspeakable' } : { verdict: 'allow' },
  },
}`

const question: UIMessage = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'one two three' }] }

describe('Streams of AI agents in the words of others', () => {
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
  function transport(agent = world.agent) {
    return new DefaultChatTransport({
      api: urlOf(`${streamOf(agent)}?format=ai-sdk`),
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

  const send = (agent?: string) =>
    transport(agent).sendMessages({
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

  it('tell thoughts only where the agent shows them', async () => {
    await world.lane.behave({ thinks: true })
    const open = { code: 'open', model: 'fast', generate_titles: false, show_reasoning: true }
    const shows = await makeAgent(world.owner, open)
    const kinds = async (agent: string) => kindsOf(await stream(world.user, agent, { message: 'one two three' }))
    const told = await Promise.all([world.agent, shows].map(kinds))
    assert.deepEqual(
      told.map((each) => each.includes('reasoning.delta')),
      [false, true],
    )
  })

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

  it('tell the transport of useChat of sources, of calls that wait for their user, and of what was taken back', async () => {
    await installAndEnable(world.platform.admin, await packSmall(plugin, manifest, definition))
    const base = await makeBase(world.owner)
    await addReady(world.owner, base, { title: 'Counting', text: 'One two three is how one begins to count.' })
    const agent = await makeAgent(world.owner, {
      ...{ code: 'formats', model: 'fast', generate_titles: false, knowledge_base_ids: [base] },
      tools: [{ plugin, name: 'safe_empty' }],
    })
    await world.lane.behave({ text: 'So one begins [1] [7].' })
    const cited = (await messageIn(await send(agent))).message?.parts.filter(({ type }) => type === 'source-document')
    assert.deepEqual(
      cited?.map((part) => part.type === 'source-document' && [part.title, part.providerMetadata?.['stoa']?.['index']]),
      [['Counting', 1]],
    )
    await world.lane.behave({ calls: [{ name: 'safe_empty', arguments: { id: 1 } }], times: 1 })
    const asked = await messageIn(await send(agent))
    const waiting = asked.message?.parts.find((part) => part.type === 'dynamic-tool')
    assert.deepEqual(
      [asked.failure, waiting?.state, waiting?.toolName],
      [undefined, 'approval-requested', 'safe_empty'],
    )
    const rule = { plugin, phase: ['output'], mode: 'block', timeout_ms: 10_000 }
    dataOf(await world.platform.admin.put('/admin/ai/gateway', { guardrails: [rule] }))
    await world.lane.behave({ text: 'something unspeakable' })
    const taken = await messageIn(await send(agent))
    dataOf(await world.platform.admin.put('/admin/ai/gateway', { guardrails: [] }))
    const replaced = taken.message?.parts.find(({ type }) => type === 'data-message-replaced')
    assert.deepEqual(replaced && 'data' in replaced && replaced.data, { text: '', reason: 'content_blocked' })
  })

  it('tell the same as whole answers do', async () => {
    const whole = await ask(world.user, world.agent, { message: 'one two three' })
    const { message } = await messageIn(await send())
    const text = message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    assert.equal(text, textOf(whole['message']?.['content']))
  })
})
