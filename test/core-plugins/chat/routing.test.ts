import assert from 'node:assert/strict'
import { textOf, uploaded } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { makeAgent, newUser } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { ask, stream } from './world.ts'

const path = '/ai/agent-chat/route'
const settings = '/tenant/configs/groups/tenant_chat'

describe('Finding the agent for a message, and the timeline of what it did', function () {
  this.timeout(120_000)
  let world: Awaited<ReturnType<typeof startWithVendor>>
  before(async () => {
    world = await startWithVendor()
    const usual = { model: 'fast', generate_titles: false }
    const support = {
      name: 'Support',
      description: 'Orders, deliveries, 退款',
      suggested_questions: ['I want my money back'],
    }
    await makeAgent(world.owner, { ...usual, ...support, code: 'support' })
    await makeAgent(world.owner, { ...usual, code: 'writer', name: 'Writer', description: 'Writes and corrects texts' })
    await makeAgent(world.owner, {
      ...usual,
      code: 'legal',
      name: 'Law',
      routing: { keywords: ['contract'], samples: ['May we sue?'] },
    })
    const access = { mode: 'restricted', roles: ['tenant_owner'] }
    const routing = { patterns: ['\\binv-\\d{4}\\b', '^(a+)+$'], attachment_types: ['text/*'] }
    await makeAgent(world.owner, { ...usual, code: 'books', name: 'Books', routing })
    await makeAgent(world.owner, {
      ...usual,
      code: 'board',
      name: 'Board',
      description: 'Salaries of directors',
      access,
    })
  })
  after(() => world[Symbol.asyncDispose]())

  const route = async (body: object) => dataOf(await world.user.post(path, body))
  const chosen = ({ agent, strategy, fallback }: Body) => [agent?.['code'], strategy, fallback] as unknown[]

  it('goes by rules, then by words in any script, and then to the usual one, never to an agent for others', async () => {
    assert.deepEqual(chosen(await route({ message: 'I want my money back' })), ['support', 'lexical', false])
    assert.deepEqual(chosen(await route({ message: '退款' })), ['support', 'lexical', false])
    assert.deepEqual(chosen(await route({ message: 'Is this Contract valid, and my money back?' })), [
      'legal',
      'rules',
      false,
    ])
    assert.equal((await route({ message: 'I want my money back' }))['reason'], 'matches: money, back')
    // What stands in any question speaks for nobody.
    assert.deepEqual(chosen(await route({ message: 'I want my dog washed' })).slice(1), ['default', true])
    assert.deepEqual(chosen(await route({ message: 'xylophone' })).slice(1), ['default', true])
    const board = await route({ message: 'Salaries of directors', limit: 10 })
    assert.ok(!JSON.stringify(board).includes('board') && (board['cost'] as unknown) === '0')
    assert.equal(dataOf(await world.owner.post(path, { message: 'Salaries of directors' }))['agent']?.['code'], 'board')
    const nobody = await world.user.post(path, { message: 'Salaries', candidates: ['board'] })
    assert.deepEqual(refusalOf(nobody), { status: 404, code: 4047, reason: 'no_agent' })
  })

  it('knows patterns of messages and kinds of files, and is not held up by a pattern that runs away', async () => {
    assert.deepEqual(chosen(await route({ message: 'What of INV-2041?' })), ['books', 'rules', false])
    assert.equal((await route({ message: `${'a'.repeat(60)}b` }))['strategy'], 'default')
    const note = await uploaded(world.user, 'note.txt', Buffer.from('words'))
    const message = [{ type: 'attachment', attachment_id: textOf(note['id']) }]
    const decision = await route({ message, dispatch: true })
    assert.deepEqual(chosen(decision), ['books', 'rules', false])
    assert.match(JSON.stringify(decision['answer']), /words/)
    const other = await newUser(world.owner, 'runs', 'stranger')
    assert.equal(refusalOf(await other.api.post(path, { message })).code, 4229)
    const wish = { code: 'bad', name: 'Bad', model: 'fast', routing: { patterns: ['('] } }
    assert.equal(refusalOf(await world.owner.post('/admin/ai/agents', wish)).code, 4229)
  })

  it('compares meanings where rules and words are not sure, and does without where that fails', async () => {
    const lane = await world.addModel('vectors', { kind: 'embedding' })
    dataOf(await world.owner.put(settings, { ai_routing_embedding_model: 'vectors' }))
    const near = await route({ message: 'xylophone', candidates: ['writer'] })
    assert.deepEqual(chosen(near), ['writer', 'embedding', false])
    assert.ok(Number(near['cost']) > 0)
    await route({ message: 'xylophone', candidates: ['writer'] })
    const sizes = (await lane.seen()).map(({ body }) => (body as { input: readonly string[] }).input.length)
    assert.deepEqual(sizes, [2, 1])
    await lane.behave({ trouble: { kind: 'status', status: 500 } })
    assert.deepEqual(chosen(await route({ message: 'xylophone', candidates: ['writer'] })), ['writer', 'default', true])
    dataOf(await world.owner.put(settings, { ai_routing_embedding_model: '' }))
  })

  it('stays with the agent of a conversation unless another is surer', async () => {
    const { conversation_id: id } = await ask(world.user, 'writer', { message: 'Make this shorter' })
    const stayed = await route({ message: 'And this', conversation_id: id })
    assert.deepEqual([chosen(stayed)[0], stayed['sticky']], ['writer', true])
    const left = await route({ message: 'What about the contract?', conversation_id: id })
    assert.deepEqual([chosen(left)[0], left['sticky']], ['legal', false])
    const other = await newUser(world.owner, 'runs', 'router')
    assert.equal((await other.api.post(path, { message: 'x', conversation_id: id })).status, 404)
  })

  it('answers at once where that is wished, and frame 0 carries the decision', async () => {
    const plain = await route({ message: 'I want my money back', dispatch: true })
    assert.equal((plain['answer'] as unknown as Body)['status'], 'completed')
    const answer = await fetch(world.platform.host.api.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.user.token ?? ''}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ message: 'I want my money back', dispatch: true }),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    const first = JSON.parse(/^data: ?(.*)$/m.exec(text)?.[1] ?? '{}') as Body
    assert.deepEqual([first['seq'], first['route']?.['agent']?.['code']], [0, 'support'])
    assert.ok(text.includes('event: run.completed'))
  })

  it('is told by the timeline: every event but pieces of text, in order, in pages, of the own conversations', async () => {
    const frames = await stream(world.user, 'support', { message: 'Where is it?' })
    const id = textOf(frames[0]?.data['conversation_id'])
    const timeline = `/ai/agent-chat/conversations/${id}/timeline`
    const { items } = dataOf(await world.user.get(timeline)) as unknown as { items: readonly Body[] }
    const told = frames.filter(({ event }) => event !== 'message.delta')
    assert.deepEqual(
      items.map(({ data }) => data?.['event'] as unknown),
      told.map(({ event }) => event),
    )
    assert.deepEqual(
      items.map(({ data }) => data?.['seq'] as unknown),
      told.map(({ data }) => data['seq']),
    )
    dataOf(await world.user.patch(`/ai/agent-chat/conversations/${id}`, { title: 'A name' }))
    const titles = dataOf(await world.user.get(`${timeline}?kinds=title`)) as unknown as { items: readonly Body[] }
    assert.deepEqual(
      titles.items.map(({ title, kind }) => [title, kind]),
      [['A name', 'title']],
    )
    const page = dataOf(await world.user.get(`${timeline}?limit=2`))
    assert.deepEqual([page['has_more'], page['next_cursor']], [true, '2'])
    const rest = dataOf(await world.user.get(`${timeline}?after=2`)) as unknown as { items: readonly Body[] }
    assert.equal(rest.items.length, items.length - 1)
    assert.equal((await world.user.get(`${timeline}?kinds=nonsense`)).status, 422)
    const other = await newUser(world.owner, 'runs', 'reader')
    assert.equal((await other.api.get(timeline)).status, 404)
  })
})
