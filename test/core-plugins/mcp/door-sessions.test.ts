// @both-back-ends
import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Answer, Api, Body } from '../../support/api.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { createTenant, dataOf, startPlatform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { listOf, makeAgent, newUser } from '../agents/world.ts'
import { makeBase } from '../knowledge/world.ts'
import { post } from './door-world.ts'
import { startWithTools } from './world.ts'

type Headers = Readonly<Record<string, string>>

const documents = 205
const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

describe('Sessions of the platform as an MCP server', () => {
  let world: Awaited<ReturnType<typeof startWithTools>>
  before(async () => {
    world = await startWithTools()
    await makeAgent(world.owner, { code: 'helper', model: 'fast', generate_titles: false })
  })
  after(() => world[Symbol.asyncDispose]())

  const db = () => world.platform.host.kernel.database.knex
  const openSession = async (by: Api): Promise<Headers> => ({
    'mcp-session-id': textOf((await post(by, hello)).headers['mcp-session-id']),
  })

  /** The names of all pages of a list; `between` happens after the first one. */
  async function pagesOf(by: Api, member: 'prompts' | 'resources', between?: () => Promise<unknown>) {
    const headers = await openSession(by)
    const pages: (readonly string[])[] = []
    for (let cursor: unknown; pages.length < 9;) {
      const params = cursor === undefined ? {} : { cursor }
      const answer = await post(by, { jsonrpc: '2.0', id: 3, method: `${member}/list`, params }, headers)
      const result = answer.body['result'] as Body
      pages.push((result[member] as unknown as readonly { readonly name: string }[]).map(({ name }) => name))
      cursor = result['nextCursor']
      if (cursor === undefined) break
      if (pages.length === 1) await between?.()
    }
    return pages
  }

  /** A call that takes its time, once its model has begun to answer. */
  async function beginLong(by: Api, headers: Headers) {
    const request = (await world.lane.seen()).length
    await world.lane.behave({ words: 5_000, pieceMs: 20, times: 1 })
    const params = { name: 'ask_helper', arguments: { message: 'tell me everything' } }
    const answer = post(by, { jsonrpc: '2.0', id: 'long', method: 'tools/call', params }, headers)
    await world.lane.seenUntil((requests) => requests.length > request)
    return { answer, request }
  }

  async function assertEnded({ answer, request }: { readonly answer: Promise<Answer>; readonly request: number }) {
    assert.equal((await answer).body['result']?.['isError'], true)
    await world.lane.seenUntil((requests) => requests[request]?.hungUpAt !== undefined)
  }

  const giveUp = async (by: Api, requestId: string, headers: Headers) => {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
    assert.equal((await post(by, message, headers)).status, 202)
  }

  it('keeps sessions to those who opened them, and ends them', async () => {
    const opened = await post(world.user, hello)
    const session = { 'mcp-session-id': textOf(opened.headers['mcp-session-id']) }
    assert.match(session['mcp-session-id'], /^[\w-]{43}$/)
    assert.equal((await post(world.user, list, session)).status, 200)
    assert.equal((await post(world.owner, list, session)).status, 404)
    assert.equal((await world.owner.delete('/v1/mcp', { headers: session })).status, 404)
    assert.equal((await post(world.user, list)).status, 400)
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    assert.equal((await post(world.user, initialized, session)).status, 202)
    const unknown = await post(world.user, { jsonrpc: '2.0', id: 3, method: 'no/such' }, session)
    assert.deepEqual([unknown.status, unknown.body['error']?.['code']], [200, -32601])
    assert.equal((await world.user.delete('/v1/mcp', { headers: session })).status, 204)
    assert.equal((await post(world.user, list, session)).status, 404)
  })

  it('ends the stream of a session with the session', async () => {
    const session = await openSession(world.user)
    const headers = { ...session, authorization: `Bearer ${world.user.token ?? ''}`, accept: 'text/event-stream' }
    const stream = await fetch(`${world.user.url}/v1/mcp`, { headers })
    assert.equal(stream.status, 200)
    assert.equal((await world.user.delete('/v1/mcp', { headers: session })).status, 204)
    // Ends by itself, or the test does not.
    assert.doesNotMatch(await stream.text(), /"error"/)
  })

  it('ends a call that its client gave up, and no other', async () => {
    const [session, another] = [await openSession(world.user), await openSession(world.user)]
    const begun = await beginLong(world.user, session)
    await giveUp(world.user, 'another', session)
    await giveUp(world.user, 'long', another)
    const seen = async () => (await world.lane.seen())[begun.request]
    const { pieces = 0 } = (await seen()) ?? {}
    await world.lane.seenUntil((requests) => (requests[begun.request]?.pieces ?? 0) > pieces + 1)
    assert.equal((await seen())?.hungUpAt, undefined)
    await giveUp(world.user, 'long', session)
    await assertEnded(begun)
    await until(async () => {
      const rows = dataOf(await world.owner.get('/admin/ai/usage?purpose=tool&limit=100'))
      return listOf(rows, 'outcome').includes('client_abort')
    })
  })

  itOnRedis('knows sessions, and ends calls, on whichever host', async () => {
    const { databaseUrl, namespace } = world.platform.host
    await using second = await startPlatform({ env: world.env, databaseUrl, namespace })
    const there = world.user.at(second.host.url)
    const session = await openSession(world.user)
    assert.equal((await post(there, list, session)).status, 200)
    assert.equal((await post(world.owner.at(second.host.url), list, session)).status, 404)
    const begun = await beginLong(world.user, session)
    await giveUp(there, 'long', session)
    await assertEnded(begun)
    assert.equal((await there.delete('/v1/mcp', { headers: session })).status, 204)
    assert.equal((await post(world.user, list, session)).status, 404)
  })

  it('tells long lists page by page, each thing once, whatever goes meanwhile', async () => {
    const { owner, id: tenantId } = await createTenant(world.admin, 'pages')
    const { api: reader } = await newUser(owner, 'pages', 'reader')
    const questions = Array.from({ length: 10 }, (_, at) => `Question ${String(at)}?`)
    const agents = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const code = `a${String(at).padStart(2, '0')}`
        return makeAgent(owner, { code, model: 'fast', suggested_questions: questions })
      }),
    )
    const sizes = (pages: readonly (readonly string[])[]) => [
      pages.map(({ length }) => length),
      new Set(pages.flat()).size,
    ]
    assert.deepEqual(sizes(await pagesOf(reader, 'prompts')), [[100, 20], 120])
    // The first page ends with the questions of the tenth agent, which goes.
    const remove = () => owner.delete(`/admin/ai/agents/${agents[9] ?? ''}`)
    assert.deepEqual(sizes(await pagesOf(reader, 'prompts', remove)), [[100, 20], 120])
    const base = await makeBase(owner)
    const rows = Array.from({ length: documents }, (_, at) => {
      const id = `doc_${String(at).padStart(6, '0')}`
      return { id, base_id: base, tenant_id: tenantId, title: id, source: 'text', status: 'ready', chunk_count: 1 }
    })
    const documentsOf = () => db()('ai_knowledge_documents').queryContext({ tenant: tenantId })
    await documentsOf().insert(rows)
    const takeOut = () => documentsOf().where({ id: 'doc_000099' }).delete()
    assert.deepEqual(sizes(await pagesOf(reader, 'resources', takeOut)), [[100, 100, 5], documents])
  })

  it('forgets the servers of a tenant that is erased, with their secrets, and its callers', async () => {
    const { owner, id } = await createTenant(world.admin, 'erased')
    const url = world.lanes.open('erased', (_request, response) => response.writeHead(404).end())
    const wish = { name: 'gone', url, auth: 'bearer', credentials: { token: 'canary-token-1234567' }, tools: ['x'] }
    dataOf(await owner.post('/admin/ai/mcp-servers', wish), 201)
    const session = await openSession(owner)
    assert.equal((await post(owner, list, session)).status, 200)
    const kept = async (): Promise<readonly unknown[]> => {
      const tables = ['ai_mcp_servers', 'ai_mcp_secrets', 'ai_mcp_tools']
      const rows = tables.map((table) => db()(table).queryContext({ tenant: 'all' }).where({ tenant_id: id }))
      return (await Promise.all(rows)).map(({ length }) => length as unknown)
    }
    assert.deepEqual(await kept(), [1, 1, 1])
    dataOf(await world.admin.delete(`/admin/tenants/${String(id)}`))
    await until(async () => (await kept()).every((count) => count === 0))
    assert.ok([401, 403].includes((await post(owner, list, session)).status))
  })
})
