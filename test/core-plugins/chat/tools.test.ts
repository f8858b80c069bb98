import assert from 'node:assert/strict'
import type { AttachmentFiles } from '../../../core-plugins/attachments/contract.ts'
import { setReferences } from '../../../core-plugins/attachments/references/references.ts'
import { purgeConversations } from '../../../core-plugins/chat/files/hold-files.ts'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { createUser, dataOf, refusalOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { makeAgent, newUser } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { ask, kindsOf, stream, textIn, type Frame } from './world.ts'

type HoldArguments = Parameters<AttachmentFiles['reference']>

const plugin = 'acme.orders'
const text = { default: 'A text' }
const input = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 } },
}
const tools = [
  { name: 'order_lookup', title: { default: 'Order lookup' }, description: text, input, handler: 'lookUp' },
  { name: 'order_secret', description: text, input, handler: 'lookUp', permission: 'read' },
  { name: 'order_cancel', description: text, input, handler: 'cancel', effect: 'write' },
  { name: 'order_break', description: text, input, handler: 'fail' },
  { name: 'order_hang', description: text, input, handler: 'hang', timeoutMs: 200 },
  { name: 'order_large', description: text, input, handler: 'large' },
]
const manifest = {
  capabilities: ['ai:tool'],
  reasons: { 'ai:tool': 'Finds orders.' },
  permissions: [{ code: 'read', title: text }],
  tenant_routes: [{ method: 'GET', path: '/any', handler: 'any', permission: 'read' }],
  provides: { aiTools: tools },
}
const definition = `{
  handlers: { any: () => 1 },
  aiTools: {
    lookUp: ({ id }) => ({ content: 'order ' + id + ' left on Monday' }),
    cancel: ({ id }, ctx) => ({ content: 'cancelled ' + id + ' as ' + ctx.idempotencyKey }),
    fail: () => { throw new Error('broken') },
    hang: () => { for (;;); },
    large: () => ({ content: 'x'.repeat(40000) }),
  },
}`

/** What the vendor was told of a call. */
interface ToolMessage {
  readonly role: string
  readonly content: string
  readonly tool_call_id?: string
}

describe('Tools of AI agents', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  let agent: string
  before(async () => {
    world = await startWithVendor()
    const { admin } = world.platform
    await installAndEnable(admin, await packSmall(plugin, manifest, definition))
    dataOf(await admin.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [world.tenantId] }))
    dataOf(await world.owner.post(`/tenant/plugins/${plugin}/enable`, {}))
    agent = await agentWith()
  })
  after(() => world[Symbol.asyncDispose]())

  const agentWith = (more: object = {}, code = 'tooled') =>
    makeAgent(world.owner, {
      ...{ code, model: 'fast', generate_titles: false },
      tools: tools.map(({ name }) => ({ plugin, name })),
      ...more,
    })
  const asks = (...calls: readonly (readonly [string, object])[]) =>
    world.lane.behave({ calls: calls.map(([name, given]) => ({ name, arguments: given })), times: 1 })
  const completedIn = (frames: readonly Frame[]): readonly Body[] =>
    frames.filter(({ event }) => event === 'tool.completed').map(({ data }) => data)
  async function toldLast(): Promise<readonly ToolMessage[]> {
    const { messages } = (await world.lane.seen()).at(-1)?.body as { messages: readonly ToolMessage[] }
    return messages.filter(({ role }) => role === 'tool')
  }
  const run = (by: Api = world.user, of = agent) => stream(by, of, { message: 'go' })

  it('are called several at once, and what they answer is data of which the model goes on', async () => {
    await asks(['order_lookup', { id: 7 }], ['order_lookup', { id: 8 }])
    const frames = await run()
    assert.equal(frames.at(-1)?.event, 'run.completed')
    const started = frames.filter(({ event }) => event === 'tool.started').map(({ data }) => data)
    assert.deepEqual(
      started.map(({ name, title, plugin: of, arguments: given }) => ({ name, title, of, given })),
      [7, 8].map((id) => ({ name: 'order_lookup', title: 'Order lookup', of: plugin, given: { id } })),
    )
    assert.deepEqual(
      completedIn(frames).map(({ ok }) => ok),
      [true, true],
    )
    assert.deepEqual(
      (await toldLast()).map(({ content }) => content),
      ['order 7 left on Monday', 'order 8 left on Monday'],
    )
    const item = dataOf(await world.user.get('/ai/agents?q=tooled'))['items'] as unknown as readonly Body[]
    assert.equal((item[0]?.['capabilities']?.['tools'] as unknown as unknown[]).length, tools.length)
  })

  it('that misbehave end as errors of the tool, and the run goes on', async () => {
    const cases = [
      ['order_break', { id: 1 }, 5004],
      ['order_hang', { id: 1 }, undefined],
      ['order_lookup', { id: 'x' }, 4220],
      ['none_such', { id: 1 }, 4040],
    ] as const
    await asks(...cases.map(([name, given]) => [name, given] as const))
    const frames = await run()
    assert.equal(frames.at(-1)?.event, 'run.completed')
    assert.notEqual(textIn(frames), '')
    const completed = completedIn(frames)
    assert.deepEqual(
      completed.map(({ ok }) => ok),
      cases.map(() => false),
    )
    const codes = completed.map(({ error }) => error?.['code'] as unknown)
    for (const [name, , code] of cases)
      if (code !== undefined) assert.ok(codes.includes(code), `${name}: ${String(codes)}`)
    assert.equal((await toldLast()).length, cases.length)
  })

  it('need what the user may do, whoever made the agent, and their answers are cut to what a model reads', async () => {
    await asks(['order_secret', { id: 1 }], ['order_large', { id: 1 }])
    const frames = await run()
    const [refused, large] = completedIn(frames)
    const errors = [refused, large].map((each) => each?.['error']?.['code'] as unknown)
    assert.ok(errors.includes(4031), String(errors))
    const told = (await toldLast()).map(({ content }) => content)
    assert.ok(
      told.every((content) => content.length <= 16 * 1_024) && told.some((content) => content.includes('40000 bytes')),
    )
    const file = large?.['attachment_id'] ?? refused?.['attachment_id']
    assert.ok(told.some((content) => content.includes(textOf(file))))
    const kept = await world.user.get(`/attachments/${textOf(file)}/download`)
    assert.deepEqual([kept.status, kept.headers['content-length']], [200, '40000'])
    assert.equal(refusalOf(await world.user.delete(`/attachments/${textOf(file)}`)).code, 4095)
    const other = await newUser(world.owner, 'runs', 'nosy')
    assert.equal((await other.api.get(`/attachments/${textOf(file)}`)).status, 404)
    dataOf(await world.user.delete(`/ai/agent-chat/conversations/${textOf(frames[0]?.data['conversation_id'])}`))
    const holds = { reference: (...[of, holder, ids, trx]: HoldArguments) => setReferences(trx, of, holder, ids) }
    await purgeConversations(world.db().raw(`now() + interval '1 minute'`), holds, world.db())
    assert.equal((await world.user.delete(`/attachments/${textOf(file)}`)).status, 200)
    await asks(['order_secret', { id: 1 }])
    const allowed = await createUser(world.owner, 'runs', ['user_agent:chat', `plugin.${plugin}:read`])
    assert.deepEqual(
      completedIn(await run(allowed)).map(({ ok }) => ok),
      [true],
    )
  })

  it('with effects wait for the user, and are called once, or not at all', async () => {
    for (const decision of ['allow', 'refuse'] as const) {
      await asks(['order_lookup', { id: 2 }], ['order_cancel', { id: 3 }])
      const asked = await run()
      const [runId, conversation] = [asked[0]?.data['run_id'], asked[0]?.data['conversation_id']]
      assert.deepEqual(kindsOf(asked).slice(-3), ['usage', 'message.completed', 'run.completed'])
      const wanted = asked.find(({ event }) => event === 'tool.confirmation_required')?.data
      assert.deepEqual([wanted?.['name'], wanted?.['arguments']], ['order_cancel', { id: 3 }])
      assert.deepEqual(
        [asked.at(-1)?.data['status'], asked.at(-1)?.data['finish_reason']],
        ['awaiting_confirmation', null],
      )
      await world.lane.behave({})
      const call = { call_id: textOf(wanted?.['call_id']), decision }
      const unknown = { run_id: runId, tool_confirmations: [{ call_id: 'none', decision }] }
      assert.equal((await world.user.post(`/ai/agent-chat/${agent}/chat`, unknown)).status, 422)
      const said = { run_id: runId, tool_confirmations: [call] }
      const done = await ask(world.user, agent, said)
      assert.deepEqual([done['status'], done['conversation_id']], ['completed', conversation])
      const told = (await toldLast()).map(({ content }) => content)
      const result = decision === 'allow' ? /^cancelled 3 as run_\w+:call/ : /refused/
      assert.ok(told[0] === 'order 2 left on Monday' && result.test(told[1] ?? ''), told.join('|'))
      const again = await world.user.post(`/ai/agent-chat/${agent}/chat`, said)
      assert.deepEqual(refusalOf(again), { status: 409, code: 4094, reason: 'confirmation_over' })
    }
  })

  it('are not called where the agent has another tool of that name by the time the user allows it', async () => {
    const other = 'acme.shadow'
    const shadow = { ...tools[2], name: 'order_cancel' }
    const more = { ...manifest, permissions: [], tenant_routes: [], provides: { aiTools: [shadow] } }
    await installAndEnable(world.platform.admin, await packSmall(other, more, definition))
    dataOf(await world.platform.admin.post(`/admin/plugins/${other}/tenants`, { tenant_ids: [world.tenantId] }))
    dataOf(await world.owner.post(`/tenant/plugins/${other}/enable`, {}))
    const changing = await agentWith({}, 'changing')
    await asks(['order_cancel', { id: 3 }])
    const [asked] = [await run(world.user, changing)]
    const wanted = asked.find(({ event }) => event === 'tool.confirmation_required')?.data
    const path = `/admin/ai/agents/${changing}`
    dataOf(await world.owner.put(path, { tools: [{ plugin: other, name: 'order_cancel' }] }))
    dataOf(await world.owner.post(`${path}/publish`, {}))
    await world.lane.behave({})
    const call = { call_id: textOf(wanted?.['call_id']), decision: 'allow' }
    const done = await ask(world.user, changing, { run_id: asked[0]?.data['run_id'], tool_confirmations: [call] })
    const [kept] = done['message']?.['tool_calls'] as unknown as readonly Body[]
    assert.deepEqual([kept?.['status'], kept?.['plugin'], kept?.['arguments']], ['refused', plugin, { id: 3 }])
    assert.match((await toldLast())[0]?.content ?? '', /not there any more/)
  })

  it('are not called for who allows them too late', async () => {
    await asks(['order_cancel', { id: 3 }])
    const asked = await run()
    const wanted = asked.find(({ event }) => event === 'tool.confirmation_required')?.data
    const late = `regexp_replace(tool_calls, '"expires_at":"[^"]*"', '"expires_at":"2020-01-01T00:00:00.000Z"')`
    const sql = `update ai_messages set tool_calls = ${late} where id = ?`
    const waiting = textOf(asked[0]?.data['message_id'])
    await world.db().raw(sql, [waiting]).queryContext({ tenant: 'all' })
    const call = { call_id: textOf(wanted?.['call_id']), decision: 'allow' }
    const said = { run_id: asked[0]?.data['run_id'], tool_confirmations: [call] }
    const refused = await world.user.post(`/ai/agent-chat/${agent}/chat`, said)
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4094, reason: 'confirmation_over' })
  })

  it('that nobody decided on are not called when the conversation goes on', async () => {
    await asks(['order_cancel', { id: 3 }])
    const asked = await run()
    await world.lane.behave({})
    await ask(world.user, agent, { message: 'never mind', conversation_id: asked[0]?.data['conversation_id'] })
    assert.match((await toldLast())[0]?.content ?? '', /did not confirm/)
  })

  it('are asked for each time where the agent says so, and end after as many steps as it may take', async () => {
    const always = [{ plugin, name: 'order_lookup', always_confirm: true }]
    const careful = await agentWith({ tools: always }, 'careful')
    await asks(['order_lookup', { id: 1 }])
    assert.equal((await run(world.user, careful)).at(-1)?.data['status'], 'awaiting_confirmation')
    const short = await agentWith({ max_steps: 1 }, 'short')
    await asks(['order_lookup', { id: 1 }])
    assert.equal((await run(world.user, short)).at(-1)?.data['finish_reason'], 'tool_limit')
  })
})
