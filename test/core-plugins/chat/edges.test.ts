import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { makeAgent } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { ask, kindsOf, open, stream, streamOf, type Frame } from './world.ts'

const plugin = 'acme.vault'
const text = { default: 'A text' }
const secret = { type: 'string', writeOnly: true }
const input = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    pin: secret,
    cards: {
      type: 'array',
      items: { type: 'object', properties: { number: { type: 'string', format: 'uuid' }, cvc: secret } },
    },
  },
}
const manifest = {
  scope: 'platform',
  capabilities: ['ai:tool', 'ai:guardrail'],
  reasons: { 'ai:tool': 'Opens a vault.', 'ai:guardrail': 'Tries the platform.' },
  provides: {
    aiTools: [
      { name: 'vault_open', description: text, input, handler: 'open' },
      { name: 'vault_empty', description: text, input, handler: 'open', effect: 'write' },
    ],
    aiGuardrails: [{ code: 'odd', title: { default: 'Odd' }, handlers: { output: 'output' } }],
  },
}
const definition = `{
  aiTools: { open: ({ id, pin }) => ({ content: 'opened ' + id + ' with ' + (pin ?? '').length }) },
  aiGuardrails: {
    output: ({ texts: [{ text }] }) => text.includes('unspeakable') ? { verdict: 'block', reason: 'unspeakable' } : { verdict: 'allow' },
  },
}`
const conversations = '/ai/agent-chat/conversations'

describe('Chats at their edges', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  let agent: string
  before(async () => {
    world = await startWithVendor()
    const { admin } = world.platform
    await installAndEnable(admin, await packSmall(plugin, manifest, definition))
    const tools = ['vault_open', 'vault_empty'].map((name) => ({ plugin, name }))
    agent = await makeAgent(world.owner, { code: 'vault', model: 'fast', generate_titles: false, tools })
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(() => world.lane.behave({}))

  const of = (frames: readonly Frame[], kind: string) =>
    frames.filter(({ event }) => event === kind).map(({ data }) => data)
  const detail = async (id: unknown, query = '') =>
    dataOf(await world.user.get(`${conversations}/${textOf(id)}${query}`))
  const items = (body: Body) => body['messages']?.['items'] as unknown as readonly Body[]

  it('keep from view what the schema of a tool says is secret, while the tool gets it', async () => {
    const given = { id: 7, pin: '1234', cards: [{ number: '4a', cvc: '999' }] }
    const calls = ['vault_open', 'vault_empty'].map((name) => ({ name, arguments: given }))
    await world.lane.behave({ calls, times: 1 })
    const frames = await stream(world.user, agent, { message: 'open it' })
    const shown = { id: 7, pin: '[redacted]', cards: [{ number: '4a', cvc: '[redacted]' }] }
    assert.deepEqual(of(frames, 'tool.started')[0]?.['arguments'], shown)
    assert.deepEqual(of(frames, 'tool.confirmation_required')[0]?.['arguments'], shown)
    const all = JSON.stringify([frames, await detail(frames[0]?.data['conversation_id'])])
    assert.ok(!all.includes('1234') && !all.includes('999') && all.includes('[redacted]'))
  })

  it('hold each call of a tool on its quotas, with a row of the ledger', async () => {
    const wish = {
      name: 'few tools',
      tenant_id: world.tenantId,
      metric: 'tool_calls',
      limit: '1',
      window: { kind: 'total' },
    }
    const quota = dataOf(await world.platform.admin.post('/admin/ai/quotas', { ...wish, mode: 'hard' }), 201)
    const call = { name: 'vault_open', arguments: { id: 1, pin: '12' } }
    await world.lane.behave({ calls: [call], times: 1 })
    const first = await stream(world.user, agent, { message: 'one' })
    await world.lane.behave({ calls: [call], times: 1 })
    const second = await stream(world.user, agent, { message: 'another' })
    dataOf(await world.platform.admin.put(`/admin/ai/quotas/${textOf(quota['id'])}`, { status: 'disabled' }))
    assert.equal(of(first, 'tool.completed')[0]?.['ok'], true)
    const { ok, error } = of(second, 'tool.completed')[0] ?? {}
    assert.deepEqual([ok, error?.['code'], error?.['reason']], [false, 4296, 'tool_quota_exceeded'])
    assert.equal(second.at(-1)?.event, 'run.completed')
    await until(async () => {
      const { items: rows } = dataOf(await world.owner.get('/admin/ai/usage?purpose=tool')) as unknown as {
        items: Body[]
      }
      return rows.some(
        (row) =>
          (row['model'] as unknown) === 'vault_open' &&
          (row['conversation_id'] as unknown) === first[0]?.data['conversation_id'],
      )
    })
  })

  it('tell calls apart that a vendor names alike', async () => {
    const calls = [{ name: 'vault_empty', arguments: { id: 1 }, id: 'call_0' }]
    await world.lane.behave({ calls, times: 1 })
    const first = await ask(world.user, agent, { message: 'empty it' })
    await world.lane.behave({})
    const refusal = (run: Body) => ({
      run_id: run['run_id'],
      tool_confirmations: [
        { call_id: (run['message']?.['tool_calls'] as unknown as Body[])[0]?.['id'], decision: 'refuse' },
      ],
    })
    const refused = await ask(world.user, agent, refusal(first))
    await world.lane.behave({ calls: [{ ...calls[0], name: 'vault_empty', arguments: { id: 2 } }], times: 1 })
    const second = await ask(world.user, agent, { message: 'again', conversation_id: refused['conversation_id'] })
    const [waiting] = second['message']?.['tool_calls'] as unknown as readonly Body[]
    assert.notEqual(waiting?.['id'], 'call_0')
    assert.deepEqual(waiting?.['arguments'], { id: 2 })
    await world.lane.behave({})
    const [call] = refusal(second).tool_confirmations
    const allowed = { run_id: second['run_id'], tool_confirmations: [{ ...call, decision: 'allow' }] }
    await ask(world.user, agent, allowed)
    const { messages } = (await world.lane.seen()).at(-1)?.body as {
      messages: readonly { role: string; content: string }[]
    }
    assert.deepEqual(
      messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
      ['Error: The user refused this call.', 'opened 2 with 0'],
    )
  })

  it('take back what a guardrail refuses once it was said', async () => {
    const rule = { plugin, phase: ['output'], mode: 'block', timeout_ms: 10_000 }
    dataOf(await world.platform.admin.put('/admin/ai/gateway', { guardrails: [rule] }))
    await world.lane.behave({ text: 'something unspeakable' })
    const frames = await stream(world.user, agent, { message: 'say it' })
    dataOf(await world.platform.admin.put('/admin/ai/gateway', { guardrails: [] }))
    assert.equal(kindsOf(frames).slice(-4).join(), 'message.replaced,usage,message.completed,run.completed')
    const { text: left, reason } = of(frames, 'message.replaced')[0] ?? {}
    assert.deepEqual([left, reason, frames.at(-1)?.data['finish_reason']], ['', 'content_blocked', 'content_filter'])
    assert.equal(items(await detail(frames[0]?.data['conversation_id']))[1]?.['content'], '')
  })

  it('answer again to a question that is named, and to nothing else', async () => {
    const { conversation_id: id } = await ask(world.user, agent, { message: 'one' })
    const again = await world.user.post(`/ai/agent-chat/${agent}/chat`, { regenerate: true, conversation_id: id })
    assert.deepEqual([again.status, refusalOf(again).code], [422, 4229])
    assert.equal(items(await detail(id)).length, 2)
  })

  it('are shared once, however many ask at the same time, and not while the tenant is closed or has no AI', async () => {
    const { conversation_id: id } = await ask(world.user, agent, { message: 'shared' })
    const path = `${conversations}/${textOf(id)}/share`
    const links = await Promise.all(Array.from({ length: 8 }, () => world.user.post(path)))
    assert.deepEqual(
      links.map(({ status }) => status),
      links.map(() => 201),
    )
    const shown = async () =>
      Promise.all(
        links.map(
          async (link) =>
            (
              await world.platform.host.api.get(
                `/api/public/shared-conversations/${textOf(dataOf(link, 201)['token'])}`,
              )
            ).status,
        ),
      )
    assert.equal((await shown()).filter((status) => status === 200).length, 1)
    const { admin } = world.platform
    const tenant = `/admin/tenants/${String(world.tenantId)}`
    dataOf(await admin.put(tenant, { status: 'disabled' }))
    assert.ok((await shown()).every((status) => status === 404))
    dataOf(await admin.put(tenant, { status: 'active' }))
    assert.equal((await shown()).filter((status) => status === 200).length, 1)
  })

  it('that are deleted while a run begins have none left', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => ask(world.user, agent, { message: 'one' })))
    await world.lane.behave({ words: 50, pieceMs: 20 })
    await Promise.all(
      made.map(async ({ conversation_id: id }) => {
        const wish = { message: 'two', conversation_id: id, on_disconnect: 'continue' }
        const run = world.user.post(`/ai/agent-chat/${agent}/chat`, wish)
        const deleted = await world.user.delete(`${conversations}/${textOf(id)}`)
        assert.equal(deleted.status, 200)
        await run
      }),
    )
    const left = (await world
      .db()
      .raw(
        `select count(*)::int as n from ai_conversations join ai_runs on ai_runs.id = active_run_id
      where deleted_at is not null and ai_runs.tenant_id = ?`,
        [world.tenantId],
      )
      .queryContext({ tenant: 'all' })) as { rows: { n: number }[] }
    assert.equal(left.rows[0]?.n, 0)
  })

  it('are locked before their runs, by who ends a run as by who deletes them', async () => {
    const { conversation_id: id } = await ask(world.user, agent, { message: 'one' })
    await world.lane.behave({ words: 10, pieceMs: 100 })
    const reading = await open(world.user, streamOf(agent), { message: 'two', conversation_id: id })
    await reading.until(({ event }) => event === 'run.started')
    const deleting = await world.db().transaction()
    const within = async (sql: string, bindings: readonly string[] = []) =>
      (await deleting.raw(sql, [...bindings]).queryContext({ tenant: 'all' })) as { rows: readonly { n: number }[] }
    const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    try {
      await within('select id from ai_conversations where id = ? for update', [textOf(id)])
      await until(async () => ((await within(waiting)).rows[0]?.n ?? 0) > 0)
      // PostgreSQL looks for a deadlock when somebody has waited for a second: from now on it is found by who deletes.
      await sleep(2_500)
      await within('delete from ai_conversations where id = ?', [textOf(id)])
      await deleting.commit()
    } finally {
      if (!deleting.isCompleted()) await deleting.rollback()
    }
    assert.equal((await reading.until()).at(-1)?.event, 'run.failed')
  })

  it('are read in pages of no more bytes than an answer holds', async () => {
    const { conversation_id: id } = await ask(world.user, agent, { message: 'small' })
    const sql = 'update ai_messages set content = ? where conversation_id = ?'
    const large = 'x'.repeat(1_500_000)
    const enlarge = () =>
      world
        .db()
        .raw(sql, [large, textOf(id)])
        .queryContext({ tenant: 'all' })
    await enlarge()
    await ask(world.user, agent, { message: 'y'.repeat(200_000), conversation_id: id })
    const first = await detail(id)
    assert.deepEqual([items(first).length, first['messages']?.['has_more']], [4, false])
    await enlarge()
    const page = await detail(id)
    assert.deepEqual([items(page).length, page['messages']?.['has_more']], [2, true])
    const before = textOf(page['messages']?.['next_cursor'])
    assert.equal(items(await detail(id, `?before=${before}`)).length, 2)
  })
})
