// @both-back-ends
import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { MessageRow } from '../../../core-plugins/chat/tables.ts'
import { CompactionStateRow } from '../../../core-plugins/chat/compaction/tables.ts'
import { makeAgent, newUser } from '../agents/world.ts'
import { seedConversation, type SeededTurn } from './long-conversations.ts'
import { startWithVendor } from './runs-world.ts'
import { open, streamOf } from './world.ts'

const conversations = '/ai/agent-chat/conversations'
const summary = {
  ...{ goal: 'A refund', facts: ['The order came late'], decisions: ['It is refunded'], open_items: [] },
  ...{ preferences: ['Short answers'], tool_state: [] },
}
const turn = (at: number, more = ''): SeededTurn => ({
  ask: `Question ${String(at)} about order ${String(1_000 + at)} of 2026-11-${String(10 + (at % 20))}. ${more}`,
  answer: `Answer ${String(at)}. It costs ¥1,${String(100 + at)}.00 and leaves on Monday.`,
})

describe('Long conversations', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  let short: Awaited<ReturnType<typeof world.addModel>>
  let userId: number
  let agent: string
  before(async () => {
    world = await startWithVendor()
    short = await world.addModel('short')
    await world.addModel('small', { context_window: 8_000, max_output_tokens: 1_000 })
    const group = '/tenant/configs/groups/tenant_chat'
    dataOf(await world.owner.put(group, { ai_compaction_model: 'short' }))
    userId = Number(dataOf(await world.user.get('/auth/me'))['user']?.['id'])
    agent = await makeAgent(world.owner, { code: 'small', model: 'small', generate_titles: false })
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    await world.lane.behave({})
    await short.behave({ text: JSON.stringify(summary) })
  })

  const seed = (turns: readonly SeededTurn[], agentId = agent) =>
    seedConversation(world.db(), { tenantId: world.tenantId, userId, agentId }, turns)
  const some = (count: number, more = '') => Array.from({ length: count }, (_, at) => turn(at, more))
  const compactionOf = async (id: string): Promise<Body> =>
    dataOf(await world.user.get(`${conversations}/${id}/compact`))
  const compact = (id: string, body: object = {}) => world.user.post(`${conversations}/${id}/compact`, body)

  it('are shortened by a model, with what the user said exactly', async () => {
    const { id, messages } = await seed(some(10))
    assert.deepEqual(await compactionOf(id), { state: 'none', snapshot: null, history: [] })
    const snapshot = dataOf(await compact(id, { keep_last_turns: 3 }))
    assert.deepEqual(snapshot['covers'], { from: messages[0], to: messages[13], messages: 14 })
    assert.deepEqual(snapshot['kept_tail'], { from: messages[14], messages: 6 })
    const { verbatim, ...rest } = snapshot['summary'] as unknown as { verbatim: string[] }
    assert.deepEqual(rest, summary)
    for (const atom of ['order 1000', 'order 1006', '2026-11-10', '2026-11-16'])
      assert.ok(verbatim.includes(atom), atom)
    assert.deepEqual(
      [snapshot['method'], snapshot['model'], snapshot['built_by'], snapshot['fidelity'], snapshot['version']],
      ['summary', 'short@1', 'user', 1, 1],
    )
    assert.ok(Number(snapshot['cost']) > 0)
    assert.deepEqual(await compactionOf(id), { state: 'fresh', snapshot, history: [] })
    const { compaction } = dataOf(await world.user.get(`${conversations}/${id}`))
    assert.deepEqual(compaction, { snapshot_id: snapshot['id'], covered: 14, version: 1 })
  })

  it('are shortened once for the same messages, unless that is forced', async () => {
    const { id } = await seed(some(10))
    const first = dataOf(await compact(id))
    const calls = (await short.seen()).length
    assert.deepEqual(dataOf(await compact(id)), first)
    assert.equal((await short.seen()).length, calls)
    const again = dataOf(await compact(id, { force: true }))
    assert.deepEqual([again['version'], again['source_hash']], [2, first['source_hash']])
    const plain = dataOf(await compact(id, { method: 'extractive' }))
    assert.deepEqual(
      [plain['version'], plain['method'], plain['model'], plain['cost']],
      [3, 'extractive', null, '0.00'],
    )
    const { state, history } = await compactionOf(id)
    assert.deepEqual([state, (history as unknown as Body[]).map(({ version }) => version)], ['fresh', [2, 1]])
  })

  it('are shortened on what came before, and stale once it changes', async () => {
    const { id, messages } = await seed(some(12))
    dataOf(await compact(id, { keep_last_turns: 8 }))
    dataOf(await compact(id, { keep_last_turns: 2, instructions: 'keep the colours' }))
    const { messages: told } = (await short.seen()).at(-1)?.body as { messages: { content: string }[] }
    const { previous, messages: since, wish } = JSON.parse(told.at(-1)?.content ?? '') as Record<string, unknown[]>
    assert.equal((previous as unknown as typeof summary).goal, 'A refund')
    assert.deepEqual([since?.length, wish], [12, 'keep the colours'])
    await MessageRow.of(world.tenantId, world.db())
      .findById(messages[2] ?? '')
      .patch({ content: 'Something else' })
    assert.equal((await compactionOf(id))['state'], 'stale')
    const anew = dataOf(await compact(id, { keep_last_turns: 2 }))
    assert.equal(anew['version'], 3)
    assert.equal((await compactionOf(id))['state'], 'fresh')
  })

  const broken: readonly (readonly [string, Parameters<typeof short.behave>[0], number])[] = [
    ['is no JSON', { text: 'Here is your summary: all went well.' }, 2],
    ['is of another form', { text: '{"goal":1}' }, 2],
    ['says nothing', { text: JSON.stringify({ ...summary, goal: '', facts: [], decisions: [], preferences: [] }) }, 2],
    ['is cut off', { words: 5_000, ignoresMaxTokens: false }, 2],
    [
      'is longer than what it replaces',
      { text: JSON.stringify({ ...summary, facts: Array(40).fill('x'.repeat(900)) }) },
      2,
    ],
    ['never comes, since the vendor fails', { trouble: { kind: 'status', status: 500 } }, 0],
  ]
  for (const [what, behaviour, times] of broken) {
    it(`speak for themselves where a model’s summary ${what}`, async () => {
      await short.behave(behaviour)
      const { id } = await seed(some(10))
      const before = (await short.seen()).length
      const snapshot = dataOf(await compact(id, { method: 'summary' }))
      assert.deepEqual([snapshot['method'], snapshot['model'], snapshot['fidelity']], ['extractive', null, 1])
      assert.match(textOf(snapshot['text']), /Goal: Question 0 about order 1000/)
      const asked = (await short.seen()).length - before
      if (times > 0) assert.equal(asked, times)
      else assert.ok(asked > 0 && asked <= 6)
    })
  }

  it('are somebody’s own, and not shortened while something is being made of them', async () => {
    const { id } = await seed(some(10))
    const { api: other } = await newUser(world.owner, 'runs', 'berta')
    for (const answer of [
      await other.get(`${conversations}/${id}/compact`),
      await other.post(`${conversations}/${id}/compact`, {}),
    ]) {
      assert.deepEqual(refusalOf(answer), { status: 404, code: 4047, reason: 'conversation_not_found' })
    }
    await short.behave({ text: JSON.stringify(summary), headMs: 700 })
    const before = (await short.seen()).length
    const slow = compact(id)
    await short.seenUntil((all) => all.length > before)
    assert.equal((await compactionOf(id))['state'], 'building')
    assert.deepEqual(refusalOf(await compact(id)), { status: 409, code: 4094, reason: 'conversation_busy' })
    assert.equal(dataOf(await slow)['version'], 1)
    await world.lane.behave({ words: 2_000, pieceMs: 100 })
    const reading = await open(world.user, streamOf(agent), { message: 'And now?', conversation_id: id })
    const told = await reading.until(({ event }) => event === 'message.delta')
    assert.equal(told.at(-1)?.event, 'message.delta', JSON.stringify(told))
    assert.deepEqual(refusalOf(await compact(id, { force: true })).reason, 'conversation_busy')
    reading.leave()
    await until(async () => dataOf(await world.user.get(`${conversations}/${id}`))['active_run_id'] === null)
  })

  it('are shortened by another host where one dies before it wrote', async () => {
    const { id } = await seed(some(10))
    const state = (builder: string, buildingUntil: Date) =>
      CompactionStateRow.of(world.tenantId, world.db()).insert({ conversationId: id, builder, buildingUntil })
    await state('a host that died', new Date(Date.now() + 3_600_000))
    assert.equal((await compactionOf(id))['state'], 'building')
    assert.equal(refusalOf(await compact(id)).reason, 'conversation_busy')
    await CompactionStateRow.of(world.tenantId, world.db())
      .findById(id)
      .patch({ buildingUntil: new Date(Date.now() - 1_000) })
    assert.equal((await compactionOf(id))['state'], 'none')
    assert.equal(dataOf(await compact(id))['version'], 1)
    await short.behave({ text: JSON.stringify(summary), headMs: 300 })
    const before = (await short.seen()).length
    const late = compact(id, { force: true })
    await short.seenUntil((all) => all.length > before)
    await CompactionStateRow.of(world.tenantId, world.db()).findById(id).patch({ builder: 'another host' })
    assert.equal(refusalOf(await late).reason, 'conversation_busy')
    await CompactionStateRow.of(world.tenantId, world.db()).findById(id).patch({ builder: null, buildingUntil: null })
    assert.equal((await compactionOf(id))['snapshot']?.['version'], 1)
  })

  it('that are short already are left alone', async () => {
    const { id } = await seed(some(4))
    assert.deepEqual(refusalOf(await compact(id)), { status: 409, code: 4094, reason: 'nothing_to_compact' })
    assert.equal((await compactionOf(id))['state'], 'none')
  })
})
