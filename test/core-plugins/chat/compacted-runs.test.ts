import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { makeAgent } from '../agents/world.ts'
import { seedConversation, type SeededTurn } from './long-conversations.ts'
import { startWithVendor } from './runs-world.ts'
import { stream } from './world.ts'

interface Told {
  readonly role: string
  readonly content: string | readonly { readonly text?: string }[] | null
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

const summary = {
  ...{ goal: 'A refund', facts: ['The order came late'], decisions: [], open_items: [], preferences: [] },
  tool_state: [],
}
const long = 'The parcel was opened and one of the two lamps is broken. '
const turn = (at: number): SeededTurn => ({
  ask: `Question ${String(at)} about order ${String(10_000 + at)}. ${long}`,
  answer: `Answer ${String(at)}. ${long.repeat(2)}`,
})
const some = (count: number) => Array.from({ length: count }, (_, at) => turn(at))

describe('Answers in long conversations', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  let short: Awaited<ReturnType<typeof world.addModel>>
  let small: Awaited<ReturnType<typeof world.addModel>>
  let userId: number
  let agent: string
  const group = '/tenant/configs/groups/tenant_chat'
  before(async () => {
    world = await startWithVendor()
    short = await world.addModel('short')
    small = await world.addModel('small', { context_window: 8_000, max_output_tokens: 1_000 })
    dataOf(await world.owner.put(group, { ai_compaction_model: 'short' }))
    userId = Number(dataOf(await world.user.get('/auth/me'))['user']?.['id'])
    const about = { code: 'small', model: 'small', generate_titles: false, instructions: 'Always be kind.' }
    agent = await makeAgent(world.owner, about)
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => short.behave({ text: JSON.stringify(summary) }))

  const seed = (turns: readonly SeededTurn[]) =>
    seedConversation(world.db(), { tenantId: world.tenantId, userId, agentId: agent }, turns)
  const answered = async (id: string, message = 'What now?') => {
    const frames = await stream(world.user, agent, { message, conversation_id: id })
    const context = frames.find(({ event }) => event === 'context.ready')?.data
    assert.equal(frames.at(-1)?.event, 'run.completed', JSON.stringify(frames.at(-1)))
    return context as unknown as {
      window: number
      used: number
      compaction: { covered: number; snapshot_id: string } | null
    }
  }
  const told = async () => ((await small.seen()).at(-1)?.body as { messages: readonly Told[] }).messages
  const sizeOf = (messages: readonly Told[]) => Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / 3)
  const compactionOf = async (id: string): Promise<Body> =>
    dataOf(await world.user.get(`/ai/agent-chat/conversations/${id}/compact`))

  it('are made with a summary once the conversation does not fit, within bounds', async () => {
    const { id, messages } = await seed(some(500))
    const before = (await short.seen()).length
    const { window, used, compaction } = await answered(id)
    assert.ok(compaction && compaction.covered > 900 && compaction.covered < messages.length)
    assert.ok(used <= window * 0.6, `${String(used)} of ${String(window)}`)
    const heard = await told()
    assert.ok(sizeOf(heard) <= window - 1_000)
    assert.deepEqual([heard[0]?.role, heard[0]?.content], ['system', 'Always be kind.'])
    assert.match(textOf(heard[1]?.content), /<earlier_conversation>\nGoal: A refund[^]*<\/earlier_conversation>$/)
    assert.equal(heard.at(-1)?.content, 'What now?')
    assert.ok((await short.seen()).length - before <= 4)
    const { snapshot, state } = await compactionOf(id)
    assert.deepEqual([state, snapshot?.['id'], snapshot?.['built_by']], ['fresh', compaction.snapshot_id, 'auto'])
    const place = `/ai/agent-chat/conversations/${id}`
    const { items } = dataOf(await world.user.get(`${place}/timeline?kinds=compaction`)) as unknown as { items: Body[] }
    assert.deepEqual(items.map(({ title }) => textOf(title)).slice(0, 2), ['Summary made', 'Summary in use'])
    assert.equal(items[0]?.['ref']?.['id'], compaction.snapshot_id)
    const { context } = dataOf(await world.user.get(place))
    assert.deepEqual([context?.['used'], context?.['compaction']] as unknown[], [used, compaction])
    const next = await answered(id)
    assert.equal(next.compaction?.snapshot_id, compaction.snapshot_id)
  })

  it('come without a model’s summary where it fails, and it is asked for no more after three in a row', async () => {
    await short.behave({ text: 'No.' })
    const { id } = await seed(some(100))
    const asked: number[] = []
    for (let count = 0; count < 5; count++) {
      const before = (await short.seen()).length
      const { compaction } = await answered(id, `${long.repeat(200)} Which? ${String(count)}`)
      assert.ok(compaction)
      assert.equal((await compactionOf(id))['snapshot']?.['method'], 'extractive')
      asked.push((await short.seen()).length - before)
    }
    assert.deepEqual(asked, [2, 2, 2, 0, 0])
  })

  it('keep calls of tools with their results, and long results no longer than they are of use', async () => {
    const call = (at: number): SeededTurn => ({
      ...turn(at),
      said: [
        { role: 'assistant', parts: [{ type: 'tool_call', id: `call_${String(at)}`, name: 'look', arguments: '{}' }] },
        {
          role: 'tool',
          parts: [
            {
              type: 'tool_result',
              callId: `call_${String(at)}`,
              parts: [{ type: 'text', text: `row ${String(at)} `.repeat(300) }],
            },
          ],
        },
        { role: 'assistant', parts: [{ type: 'text', text: 'Found.' }] },
      ],
    })
    const { id } = await seed(Array.from({ length: 12 }, (_, at) => call(at)))
    await answered(id)
    const heard = await told()
    const calls = heard.flatMap(({ tool_calls: made = [] }) => made.map((each) => each.id))
    const results = heard.flatMap(({ tool_call_id: of }) => (of === undefined ? [] : [of]))
    assert.deepEqual(results, calls)
    assert.ok(calls.length >= 2)
    const texts = heard.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content))
    assert.ok(texts.slice(0, -2).every((text) => /^\[tool look: row \d+ .*KB, left out\]$/.test(text)))
  })

  it('are shortened in the background once they are three quarters full', async () => {
    const { id } = await seed(some(60))
    const { compaction } = await answered(id)
    assert.equal(compaction, null)
    await until(async () => textOf((await compactionOf(id))['state']) === 'fresh')
    const { compaction: next } = await answered(id)
    assert.ok(next && next.covered > 2)
  })

  it('are cut where the tenant wants nothing shortened', async () => {
    dataOf(await world.owner.put(group, { ai_compaction: false }))
    const { id } = await seed(some(100))
    const { compaction, window } = await answered(id)
    assert.equal(compaction, null)
    assert.ok(sizeOf(await told()) <= window - 1_000)
    assert.equal((await compactionOf(id))['state'], 'none')
    dataOf(await world.owner.put(group, { ai_compaction: true }))
  })

  it('are made of the middle’s ends of a question that alone is too long', async () => {
    const { id } = await seed(some(3))
    const message = `Begin ${'word '.repeat(20_000)} end`
    const frames = await stream(world.user, agent, { message, conversation_id: id })
    assert.equal(frames.at(-1)?.event, 'run.completed')
    const heard = await told()
    assert.match(textOf(heard.at(-1)?.content), /^Begin [^]*\[… cut …\][^]* end$/)
    assert.ok(sizeOf(heard) <= 7_000)
  })
})
