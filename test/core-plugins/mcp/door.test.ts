import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { newUser } from '../agents/world.ts'
import { connect as connectTo, eras, input, plugin, post, startDoor } from './door-world.ts'

describe('The platform as an MCP server', () => {
  let world: Awaited<ReturnType<typeof startDoor>>
  before(async () => (world = await startDoor()))
  after(() => world[Symbol.asyncDispose]())

  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
  const keyFor = async (wish: object): Promise<string> =>
    textOf(dataOf(await world.owner.post('/admin/ai/api-keys', { name: 'mcp', ...wish }), 201)['key'])
  const tokenOf = (api: Api): string => api.token ?? ''
  const connect = (token: string, mode?: (typeof eras)[number]) => connectTo(world.owner.url, token, mode)

  it('offers in both revisions what a user may do, and calls it', async () => {
    for (const mode of eras) {
      await using connected = await connect(tokenOf(world.user), mode)
      const { client } = connected
      assert.equal(client.getServerVersion()?.name, 'stoa')
      assert.deepEqual(await namesOf(client), ['ask_helper', 'order_break', 'order_lookup', 'search_knowledge'])
      const { tools } = await client.listTools()
      const lookup = tools.find(({ name }) => name === 'order_lookup')
      assert.deepEqual(
        [lookup?.title, lookup?.inputSchema, lookup?.annotations?.readOnlyHint],
        ['Order lookup', input, true],
      )
      const called = await client.callTool({ name: 'order_lookup', arguments: { id: 7 } })
      assert.deepEqual([called.content, called.isError], [[{ type: 'text', text: 'order 7 left on Monday' }], false])
      for (const [name, given] of [
        ['order_lookup', { id: 'x' }],
        ['order_break', { id: 1 }],
      ] as const)
        assert.equal((await client.callTool({ name, arguments: given })).isError, true, name)
      for (const name of ['order_secret', 'ask_hidden', 'none'])
        await assert.rejects(client.callTool({ name, arguments: { id: 1 } }), /no such tool/, name)
      const found = await client.callTool({ name: 'search_knowledge', arguments: { query: 'parcels' } })
      assert.match(JSON.stringify(found.content), /Parcels leave on Mondays/)
      const asked = await client.callTool({ name: 'ask_helper', arguments: { message: 'hello' } })
      assert.equal(asked.isError, false, JSON.stringify(asked.content))
      assert.notEqual((asked.content[0] as { text: string }).text, '')
    }
    await until(async () => {
      const listed = dataOf(await world.owner.get('/admin/ai/usage?purpose=tool&limit=100'))
      const rows = (listed['items'] as unknown as Body[]).filter(({ model }) => (model as unknown) === 'order_lookup')
      // The system may count the time of a call this short only once it has ended.
      return rows.length >= 2 && rows.some(({ tool_cpu_ms: cpu }) => Number(cpu) > 0)
    })
  })

  it('shows questions of agents as prompts, and documents as resources that their readers read', async () => {
    for (const mode of eras) {
      await using connected = await connect(tokenOf(world.user), mode)
      const { client } = connected
      const { prompts } = await client.listPrompts()
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['helper_1'],
      )
      const { messages } = await client.getPrompt({ name: 'helper_1' })
      assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Where is my order?' } }])
      const { resources } = await client.listResources()
      assert.deepEqual(
        resources.map(({ name }) => name),
        ['Shipping'],
      )
      const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
      assert.match(JSON.stringify(contents), /Parcels leave on Mondays/)
      await assert.rejects(client.readResource({ uri: 'stoa://knowledge/none' }), /no such resource/)
    }
  })

  it('takes API keys for what their lists name, and no other', async () => {
    const key = await keyFor({
      scopes: ['mcp'],
      owner: { user_id: world.userId },
      tools: ['order_*'],
      agents: ['helper'],
    })
    for (const mode of eras) {
      await using connected = await connect(key, mode)
      assert.deepEqual(await namesOf(connected.client), ['order_break', 'order_lookup'])
      await assert.rejects(
        connected.client.callTool({ name: 'search_knowledge', arguments: { query: 'x' } }),
        /no such tool/,
      )
    }
    await using others = await connect(await keyFor({ scopes: ['mcp'], agents: ['other'] }))
    assert.deepEqual(await namesOf(others.client), ['order_break', 'order_lookup', 'search_knowledge'])
    assert.deepEqual((await others.client.listPrompts()).prompts, [])
    const nobodys = await keyFor({ scopes: ['mcp'] })
    await using connected = await connect(nobodys)
    assert.deepEqual(await namesOf(connected.client), ['ask_helper', 'order_break', 'order_lookup', 'search_knowledge'])
    const other = await keyFor({ scopes: ['chat'] })
    const refused = await post(world.owner.as(other), { jsonrpc: '2.0', id: 1, method: 'ping' })
    assert.equal(refused.status, 403)
  })

  it('shows a tenant nothing of another’s', async () => {
    const { owner: stranger, id } = await createTenant(world.admin, 'strangers')
    await using connected = await connect(tokenOf(stranger))
    const { client } = connected
    assert.deepEqual(await namesOf(client), [])
    assert.deepEqual([(await client.listPrompts()).prompts, (await client.listResources()).resources], [[], []])
    for (const name of ['order_lookup', 'ask_helper', 'search_knowledge'])
      await assert.rejects(client.callTool({ name, arguments: { id: 1 } }), /no such tool/)
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
    dataOf(await stranger.put('/tenant/configs/groups/tenant_feature', { ai_access: false }))
    assert.equal((await post(stranger, hello)).status, 403)
    dataOf(await stranger.put('/tenant/configs/groups/tenant_feature', { ai_access: true }))
    assert.equal((await post(stranger, hello)).status, 200)
    await using own = await connect(tokenOf(world.user))
    const [shown] = (await own.client.listResources()).resources
    await assert.rejects(client.readResource({ uri: shown?.uri ?? '' }), /no such resource/)
    dataOf(await world.admin.put(`/admin/tenants/${String(id)}`, { status: 'disabled' }))
    assert.equal((await post(stranger, hello)).status, 403)
  })

  it('tells that the tools changed, and refuses one that was taken away on the next call', async () => {
    for (const mode of eras) {
      const { id: userId, api } = await newUser(world.owner, 'tools', `changing-${mode}`)
      const role = { code: `reads_${mode}`, name: 'Reads', permissions: [`plugin.${plugin}:read`] }
      dataOf(await world.owner.post('/tenant/roles', role), 201)
      let told = 0
      await using connected = await connect(tokenOf(api), mode)
      const { client } = connected
      client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1))
      if (mode === 'auto') await client.listen({ toolsListChanged: true })
      assert.ok(!(await namesOf(client)).includes('order_secret'))
      const path = `/tenant/users/${String(userId)}`
      dataOf(await world.owner.put(path, { roles: ['tenant_user', role.code] }))
      await until(() => told > 0)
      assert.equal((await client.callTool({ name: 'order_secret', arguments: { id: 1 } })).isError, false)
      dataOf(await world.owner.put(path, { roles: ['tenant_user'] }))
      await assert.rejects(client.callTool({ name: 'order_secret', arguments: { id: 1 } }), /no such tool/)
      await until(() => told > 1)
    }
  })

  it('tells how a call goes on', async () => {
    for (const mode of eras) {
      await using connected = await connect(tokenOf(world.user), mode)
      const progress: number[] = []
      const onprogress = (each: { readonly progress: number }): void => void progress.push(each.progress)
      const asked = { name: 'ask_helper', arguments: { message: 'hello' } }
      assert.equal((await connected.client.callTool(asked, { onprogress })).isError, false)
      assert.equal(progress[0], 0)
    }
  })

  it('takes what the protocol says, from those who say who they are, and from no page of elsewhere', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
    const ok = await post(world.user, list, headers)
    assert.deepEqual(
      [ok.status, ok.body['result']?.['resultType'], ok.body['result']?.['cacheScope']],
      [200, 'complete', 'private'],
    )
    const unsaid = { 'mcp-protocol-version': '2026-07-28' }
    const old = { ...meta, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }
    const cases = [
      [list, unsaid, 400, -32020],
      [list, { ...headers, 'mcp-method': 'tools/call' }, 400, -32020],
      [list, { ...headers, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
      [{ ...list, params: { _meta: old } }, { ...headers, 'mcp-protocol-version': '1900-01-01' }, 400, -32022],
      [{ ...list, params: {} }, headers, 400, -32602],
      [{ ...list, method: 'no/such' }, { ...headers, 'mcp-method': 'no/such' }, 404, -32601],
      [{ ...list, params: { _meta: meta, cursor: 'x' } }, headers, 200, -32602],
      [[list, list], headers, 400, -32600],
      [{ jsonrpc: '1.0', id: 1 }, headers, 400, -32600],
      [{ ...list, id: null }, headers, 400, -32600],
    ] as const
    for (const [body, sent, status, code] of cases) {
      const answer = await post(world.user, body, sent)
      assert.deepEqual([answer.status, answer.body['error']?.['code']], [status, code], JSON.stringify([body, sent]))
    }
    const nobody = await post(world.owner.as(''), list, headers)
    assert.equal(nobody.status, 401)
    assert.match(
      textOf(nobody.headers['www-authenticate']),
      /resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource/,
    )
    assert.equal((await post(world.user, list, { ...headers, origin: 'https://evil.example' })).status, 403)
    assert.equal((await post(world.admin, list, headers)).status, 403)
    assert.equal((await world.user.get(`/v1/mcp?token=${tokenOf(world.user)}`, { token: '' })).status, 401)
    const found = await world.owner.get('/.well-known/oauth-protected-resource')
    assert.deepEqual(
      [textOf(found.body['resource']).endsWith('/v1/mcp'), found.body['bearer_methods_supported']],
      [true, ['header']],
    )
    const guest = await createUser(world.owner, 'tools', [])
    const none = await post(guest, list, headers)
    assert.deepEqual(
      (none.body['result']?.['tools'] as unknown as Body[]).map(({ name }) => name as unknown),
      ['order_break', 'order_lookup', 'search_knowledge'],
    )
  })

  it('holds calls to quotas', async () => {
    const key = await keyFor({
      ...{ scopes: ['mcp'], owner: { user_id: world.userId } },
      quotas: [{ metric: 'tool_calls', limit: '1', window: { kind: 'calendar', unit: 'month' } }],
    })
    await using connected = await connect(key)
    const call = () => connected.client.callTool({ name: 'order_lookup', arguments: { id: 1 } })
    let refused: unknown
    // Hosts hear of a new quota in a moment.
    await until(async () => {
      refused = await call().then(
        () => undefined,
        (error: unknown) => error,
      )
      return refused !== undefined
    })
    assert.match(String(refused), /429|quota/i)
  })
})
