// @both-back-ends
import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { createUser, dataOf, refusalOf, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { listOf, makeAgent, newUser, startWithDemo, tenantWithUser } from '../agents/world.ts'
import { ask, kindsOf, stream, textIn } from './world.ts'

const conversations = '/ai/agent-chat/conversations'

describe('Chats with AI agents', () => {
  let platform: Platform
  let owner: Api
  let user: Api
  let agent: string
  before(async () => {
    platform = await startWithDemo()
    ;({ owner, user } = await tenantWithUser(platform, 'chats'))
    agent = await makeAgent(owner, { generate_titles: false })
  })
  after(() => platform[Symbol.asyncDispose]())

  const detailOf = async (id: unknown): Promise<Body> => dataOf(await user.get(`${conversations}/${textOf(id)}`))
  const messagesOf = async (id: unknown): Promise<readonly Body[]> =>
    (await detailOf(id))['messages']?.['items'] as unknown as readonly Body[]

  it('are answered as a whole, and go on with what was said', async () => {
    const first = await ask(user, agent, { message: 'one two three' })
    const { message, usage } = first
    assert.equal(message?.['role'], 'assistant')
    assert.match(textOf(message?.['content']), /You said: one two three/)
    assert.deepEqual(
      [first['status'], message?.['finish_reason'], first['title'], usage?.['source'], usage?.['cost']],
      ['completed', 'stop', 'one two three', 'provider', '0.00'],
    )
    const parts = [{ type: 'text', text: 'four' }]
    const second = await ask(user, agent, { message: parts, conversation_id: first['conversation_id'] })
    assert.equal(second['conversation_id'], first['conversation_id'])
    assert.ok(Number(second['usage']?.['input_tokens']) > Number(usage?.['input_tokens']))
    const messages = await messagesOf(first['conversation_id'])
    assert.deepEqual(
      messages.map(({ role, parent_id: parent }) => [role, parent]),
      [null, ...messages.slice(0, -1).map(({ id }) => id)].map((parent, at) => [at % 2 ? 'assistant' : 'user', parent]),
    )
  })

  it('take no message that is longer than any has to be', async () => {
    const parts = Array.from({ length: 3 }, () => ({ type: 'text', text: 'x'.repeat(100_000) }))
    const answer = await user.post(`/ai/agent-chat/${agent}/chat`, { message: parts })
    assert.deepEqual(refusalOf(answer), { status: 422, code: 4229, reason: 'chat_invalid' })
  })

  it('are streamed as events with a place each, the last of which is terminal', async () => {
    const frames = await stream(user, agent, { message: 'one two three' })
    assert.deepEqual(kindsOf(frames), [
      ...['run.started', 'context.ready', 'message.delta', 'usage', 'message.completed', 'run.completed'],
    ])
    const runId = textOf(frames[0]?.data['run_id'])
    assert.deepEqual(
      frames.map(({ id, data }) => [id, data['seq']]),
      frames.map((_, at) => [`${runId}.${String(at)}`, at]),
    )
    const completed = frames.find(({ event }) => event === 'message.completed')?.data['message']
    assert.equal(textIn(frames), completed?.['content'])
    const [question, answer] = await messagesOf(frames[0]?.data['conversation_id'])
    assert.deepEqual(
      [question?.['id'], answer?.['id'], answer?.['content']],
      [frames[0]?.data['user_message_id'], frames[0]?.data['message_id'], completed?.['content']],
    )
  })

  it('branch where a question is asked otherwise, or answered once more', async () => {
    const { conversation_id: id } = await ask(user, agent, { message: 'first' })
    const [question, answer] = await messagesOf(id)
    await ask(user, agent, { conversation_id: id, parent_message_id: question?.['id'], regenerate: true })
    await ask(user, agent, { message: 'follow', conversation_id: id, parent_message_id: answer?.['id'] })
    await ask(user, agent, { message: 'anew', conversation_id: id, parent_message_id: 'root' })
    const messages = await messagesOf(id)
    const answers = messages.filter(({ parent_id: parent }) => (parent as unknown) === question?.['id'])
    assert.deepEqual(
      [answers.map(({ id: each }) => each), answers[0]?.['siblings']],
      [answers[0]?.['siblings'], answers[1]?.['siblings']],
    )
    assert.equal(answers.length, 2)
    const roots = messages.filter(({ parent_id: parent }) => (parent as unknown) === null)
    assert.deepEqual([roots.length, (roots[0]?.['siblings'] as unknown as unknown[]).length], [2, 2])
    const { message: elsewhere } = await ask(user, agent, { message: 'in another conversation' })
    for (const parent of ['msg_0', elsewhere?.['id']]) {
      const wish = { message: 'x', conversation_id: id, parent_message_id: parent }
      const unknown = await user.post(`/ai/agent-chat/${agent}/chat`, wish)
      assert.deepEqual(refusalOf(unknown), { status: 422, code: 4229, reason: 'chat_invalid' })
    }
    const wrong = { conversation_id: id, parent_message_id: answer?.['id'], regenerate: true }
    assert.equal((await user.post(`/ai/agent-chat/${agent}/chat`, wrong)).status, 422)
  })

  it('are listed, searched, named, pinned, archived, judged and deleted by nobody but their user', async () => {
    const { conversation_id: id } = await ask(user, agent, { message: 'A question about penguins' })
    const path = `${conversations}/${textOf(id)}`
    assert.deepEqual(listOf(dataOf(await user.get(`${conversations}?q=penguins`)), 'id'), [id])
    const named = dataOf(await user.patch(path, { title: '  Birds ', pinned: true }))
    assert.deepEqual([named['title'], named['pinned'], named['agent']?.['name']], ['Birds', true, 'Helper'])
    assert.deepEqual(listOf(dataOf(await user.get(`${conversations}?pinned=true&agent_id=${agent}`)), 'title'), [
      'Birds',
    ])
    assert.deepEqual(listOf(dataOf(await user.get(`${conversations}?q=ABOUT%20PENGUINS`)), 'id'), [id])
    assert.equal((await user.patch(path, { title: '  ' })).status, 422)
    dataOf(await user.patch(path, { archived: true }))
    for (const query of ['?q=birds', '?archived=false&q=penguins'])
      assert.deepEqual(listOf(dataOf(await user.get(conversations + query)), 'id'), [])
    assert.deepEqual(listOf(dataOf(await user.get(`${conversations}?archived=true&q=birds`)), 'id'), [id])
    assert.equal(dataOf(await user.patch(path, { title: null }))['title'], 'A question about penguins')
    const [question, answer] = await messagesOf(id)
    const judge = (message: unknown) => `${path}/messages/${textOf(message)}/feedback`
    const judged = dataOf(await user.put(judge(answer?.['id']), { rating: 'up', comment: 'Good' }))
    assert.equal(judged['feedback']?.['rating'], 'up')
    assert.equal((await messagesOf(id))[1]?.['feedback']?.['comment'], 'Good')
    assert.equal((await user.put(judge(question?.['id']), { rating: 'up' })).status, 404)
    const other = await newUser(owner, 'chats', 'other')
    assert.deepEqual(listOf(dataOf(await other.api.get(`${conversations}?archived=true&q=penguins`)), 'id'), [])
    const foreign = await Promise.all([
      other.api.get(path),
      other.api.patch(path, { title: 'x' }),
      other.api.delete(path),
      other.api.put(judge(answer?.['id']), { rating: 'up' }),
      other.api.post(`/ai/agent-chat/${agent}/chat`, { message: 'x', conversation_id: id }),
    ])
    assert.deepEqual(
      foreign.map((each) => refusalOf(each)),
      foreign.map(() => ({ status: 404, code: 4047, reason: 'conversation_not_found' })),
    )
    const { conversation_id: own } = await ask(other.api, agent, { message: 'mine' })
    const misplaced = `${conversations}/${textOf(own)}/messages/${textOf(answer?.['id'])}/feedback`
    assert.deepEqual(refusalOf(await other.api.put(misplaced, { rating: 'down' })), {
      ...{ status: 404, code: 4040, reason: 'message_not_found' },
    })
    assert.deepEqual(dataOf(await user.delete(path)), { deleted: true, memories_removed: 0 })
    assert.equal((await user.get(path)).status, 404)
    assert.equal((await user.post(`/ai/agent-chat/${agent}/chat`, { message: 'x', conversation_id: id })).status, 404)
  })

  it('are shown by a link as they were when it was made, until it is taken back', async () => {
    const { conversation_id: id } = await ask(user, agent, { message: 'shared words' })
    const path = `${conversations}/${textOf(id)}/share`
    const link = dataOf(await user.post(path), 201)
    await ask(user, agent, { message: 'words for nobody', conversation_id: id })
    const reader = platform.host.api
    const shown = (token: unknown) => reader.get(`/api/public/shared-conversations/${textOf(token)}`)
    const shared = dataOf(await shown(link['token']))
    const messages = shared['messages'] as unknown as readonly { role: string; content: string }[]
    assert.deepEqual([messages[0]?.content, messages.length, shared['agent']?.['name']], ['shared words', 2, 'Helper'])
    assert.ok(textOf(link['url']).endsWith(`/api/public/shared-conversations/${textOf(link['token'])}`))
    const other = await newUser(owner, 'chats', 'sharer')
    assert.deepEqual([(await other.api.post(path)).status, (await other.api.delete(path)).status], [404, 404])
    const second = dataOf(await user.post(path), 201)
    assert.equal((await shown(link['token'])).status, 404)
    assert.equal((dataOf(await shown(second['token']))['messages'] as unknown as unknown[]).length, 4)
    const switchAi = (isOn: boolean) => owner.put('/tenant/configs/groups/tenant_feature', { ai_access: isOn })
    dataOf(await switchAi(false))
    assert.equal((await shown(second['token'])).status, 404)
    dataOf(await switchAi(true))
    assert.deepEqual(dataOf(await user.delete(path)), { revoked: true })
    const gone = await shown(second['token'])
    assert.deepEqual(refusalOf(gone), { status: 404, code: 4040, reason: 'shared_conversation_not_found' })
    assert.deepEqual(dataOf(await user.delete(path)), { revoked: false })
    const third = dataOf(await user.post(path), 201)
    dataOf(await user.delete(`${conversations}/${textOf(id)}`))
    assert.equal((await shown(third['token'])).status, 404)
  })

  it('are named by a model after the first answer, on the quota of their user, where the agent says so', async () => {
    const naming = await makeAgent(owner, { code: 'naming' })
    const { conversation_id: id, title } = await ask(user, naming, {
      message: 'A question about whales and their songs at night',
    })
    assert.equal(title, 'A question about whales and their songs at night')
    await until(async () => textOf((await detailOf(id))['title']) === 'A question about whales and their')
    const usage = async () => listOf(dataOf(await owner.get('/admin/ai/usage?purpose=title')), 'conversation_id')
    await until(async () => (await usage()).includes(id))
  })

  it('are refused before anything is written down, where AI, the agent, the model or a quota says so', async () => {
    const { owner: by, user: of } = await tenantWithUser(platform, 'refused')
    const id = await makeAgent(by)
    const call = async (who: Api, path = id) =>
      refusalOf(await who.post(`/ai/agent-chat/${path}/chat/stream`, { message: 'x' }))
    assert.deepEqual(await call(of, 'none'), { status: 404, code: 4047, reason: 'agent_not_found' })
    assert.equal((await call(await createUser(by, 'refused', []))).status, 403)
    const quota = { name: 'none', metric: 'tokens', limit: '1' }
    const quotaId = textOf(dataOf(await by.post('/admin/ai/quotas', quota), 201)['id'])
    await until(async () => (await call(of)).code === 4296)
    const before = dataOf(await of.get(conversations))['total']
    assert.equal((await call(of)).status, 429)
    assert.equal(dataOf(await of.get(conversations))['total'], before)
    dataOf(await by.put(`/admin/ai/quotas/${quotaId}`, { status: 'disabled' }))
    assert.equal((await of.post(`/ai/agent-chat/${id}/chat`, { message: ' ' })).status, 422)
    dataOf(await by.put('/tenant/configs/groups/tenant_feature', { ai_access: false }))
    assert.deepEqual(await call(of), { status: 403, code: 4036, reason: 'ai_access_disabled' })
  })

  it('go with their user, and so does what is known of whom the user asked', async () => {
    const leaving = await newUser(owner, 'chats', 'leaving')
    await ask(leaving.api, agent, { message: 'x' })
    const { knex } = platform.host.kernel.database
    const kept = async (): Promise<readonly number[]> => {
      const of = (table: string) => knex(table).where({ user_id: leaving.id }).queryContext({ tenant: 'all' })
      const rows = await Promise.all(['ai_conversations', 'ai_agent_uses'].map(of))
      return rows.map((found: readonly unknown[]) => found.length)
    }
    assert.deepEqual(await kept(), [1, 1])
    dataOf(await owner.delete(`/tenant/users/${String(leaving.id)}`))
    await until(async () => (await kept()).every((count) => count === 0), 10_000)
  })

  it('are in the ledger for their user, agent and conversation', async () => {
    const { user: of, owner: by } = await tenantWithUser(platform, 'ledger')
    const id = await makeAgent(by)
    const { conversation_id: conversation } = await ask(of, id, { message: 'x' })
    const rows = async () => dataOf(await by.get('/admin/ai/usage?purpose=chat'))['items'] as unknown as readonly Body[]
    await until(async () => (await rows()).length > 0)
    const [row] = await rows()
    assert.deepEqual([row?.['agent_id'], row?.['conversation_id']], [id, conversation])
    const used = dataOf(await of.get('/ai/agents'))['items'] as unknown as readonly Body[]
    assert.notEqual(used[0]?.['last_used_at'], null)
    assert.deepEqual(listOf(dataOf(await by.get('/ai/agents')), 'last_used_at'), [null])
  })
})
