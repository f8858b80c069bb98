import assert from 'node:assert/strict'
import { textOf, uploaded } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { makeAgent, newUser } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { ask, stream } from './world.ts'

const path = '/ai/agent-chat/route'
const settings = '/tenant/configs/groups/tenant_chat'

describe('Finding the agent for a message, and the timeline of what it did', () => {
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

  it('answers a message once, though it is sent again because its answer was lost', async () => {
    const message = { message: 'I want my money back', dispatch: true, on_disconnect: 'continue' }
    const runOf = async (key: string) => {
      const decision = await route({ ...message, client_message_id: key })
      return textOf((decision['answer'] as unknown as Body)['run_id'])
    }
    const [first, again, other] = [await runOf('c-1'), await runOf('c-1'), await runOf('c-2')]
    assert.equal(again, first)
    assert.notEqual(other, first)
    assert.equal(refusalOf(await world.user.post(path, { ...message, on_disconnect: 'never' })).code, 4220)
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

  it('looks for the agent of a message once, though another would be found when it is sent again', async () => {
    const words = 'Send me my money back, please'
    const send = async (more: object) => {
      const decision = await route({ message: words, dispatch: true, on_disconnect: 'continue', ...more })
      const answer = decision['answer'] as unknown as Body
      return { decision, run: textOf(answer['run_id']), conversation: textOf(answer['conversation_id']) }
    }
    const { conversation_id: own } = await ask(world.user, 'writer', { message: 'Make this shorter' })
    const first = await send({ client_message_id: 'r-1' })
    const left = await send({ client_message_id: 'r-2', conversation_id: own, message: 'Is the contract valid?' })
    const stayed = await send({ client_message_id: 'r-3', conversation_id: own, message: 'And this one' })
    assert.deepEqual(
      [first, left, stayed].map(({ decision }) => chosen(decision)[0]),
      ['support', 'legal', 'writer'],
    )
    const routing = {
      keywords: ['money back', 'contract', 'and this one'],
      patterns: ['money', 'contract', 'this one'],
    }
    await makeAgent(world.owner, { code: 'aa-new', name: 'New', model: 'fast', generate_titles: false, routing })
    assert.equal(chosen(await route({ message: words }))[0], 'aa-new')
    const again = await send({ client_message_id: 'r-1' })
    assert.deepEqual(again, first)
    const others = [
      await send({ client_message_id: 'r-2', conversation_id: own, message: 'Is the contract valid?' }),
      await send({ client_message_id: 'r-3', conversation_id: own, message: 'And this one' }),
    ]
    assert.deepEqual(others, [left, stayed])
    // Other words, another sender, and another name of the message are another message.
    const anew = await send({ client_message_id: 'r-1', message: `${words}!` })
    assert.equal(chosen(anew.decision)[0], 'aa-new')
    const other = await newUser(world.owner, 'runs', 'resender')
    const theirs = dataOf(await other.api.post(path, { message: words, dispatch: true, client_message_id: 'r-1' }))
    assert.notEqual((theirs['answer'] as unknown as Body)['run_id'], first.run)
    assert.notEqual((await send({ client_message_id: 'r-4' })).run, first.run)
  })
})
