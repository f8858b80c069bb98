import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { makeAgent } from '../agents/world.ts'
import { startWithVendor } from '../chat/runs-world.ts'
import { ask } from '../chat/world.ts'

/** How an agent remembers. */
export const remembers = { enabled: true, extract: true, tool: false, scope: 'user' } as const
/** Where conversations are. */
export const conversations = '/ai/agent-chat/conversations'

/** What a model notes. */
export function noted(...operations: readonly object[]) {
  return { text: JSON.stringify({ operations }) }
}

/** One note, of the first message. */
export function add(text: string, more: object = {}) {
  return { op: 'ADD', text, kind: 'fact', scope: 'user', confidence: 0.9, source: [1], ...more }
}

/** A platform with an agent that remembers, whose learning is done by a model of its own. */
export async function startRemembering() {
  const world = await startWithVendor()
  const learner = await world.addModel('learner')
  dataOf(await world.owner.put('/tenant/configs/groups/tenant_memory', { ai_memory_model: 'learner' }))
  const about = { generate_titles: false, model: 'fast' }
  const remembering = await makeAgent(world.owner, { ...about, code: 'remembers', memory: remembers })
  return { ...world, learner, remembering, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/** What is remembered of somebody. */
export async function memoriesOf(api: Api, query = ''): Promise<readonly Body[]> {
  return dataOf(await api.get(`/ai/memories${query}`))['items'] as unknown as readonly Body[]
}

/** The texts of it, in their order. */
export async function textsOf(api: Api, query = ''): Promise<readonly string[]> {
  return (await memoriesOf(api, query)).map(({ text }) => textOf(text)).sort()
}

/** Asks something; answers where. */
export async function say(api: Api, agent: string, message: string, more: object = {}): Promise<string> {
  const { status, conversation_id: id } = await ask(api, agent, { message, ...more })
  assert.equal(status, 'completed')
  return textOf(id)
}

/** What is remembered where a conversation is. */
export async function stateOf(api: Api, conversation: string): Promise<Body> {
  return dataOf(await api.get(`${conversations}/${conversation}/memory-state`))
}

/** Waits until all that was said in a conversation has been learnt from. */
export async function learnt(api: Api, conversation: string): Promise<Body> {
  let state: Body = {}
  await until(async () => {
    const { messages } = dataOf(await api.get(`${conversations}/${conversation}?limit=1`))
    const [last] = messages?.['items'] as unknown as readonly Body[]
    state = await stateOf(api, conversation)
    return textOf(state['watermark'] ?? '') === textOf(last?.['id'])
  }, 30_000)
  return state
}

/** What the vendor's model was told last. */
export async function toldLast(lane: { seen(): Promise<readonly { readonly body: unknown }[]> }): Promise<string> {
  return JSON.stringify(((await lane.seen()).at(-1)?.body as { messages: unknown } | undefined)?.messages)
}
