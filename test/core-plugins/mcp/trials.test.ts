import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { Body } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { openToolServer, type TestTool } from '../../support/mcp/tool-server.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { listOf, makeAgent } from '../agents/world.ts'
import { addServer, path, startWithTools, toolIn } from './world.ts'

const search: TestTool = { name: 'search', description: 'Finds orders', inputSchema: { type: 'object' } }

describe('MCP servers before they are added and after', () => {
  let world: Awaited<ReturnType<typeof startWithTools>>
  before(async () => (world = await startWithTools()))
  after(() => world[Symbol.asyncDispose]())

  it('are tried before they are added, with the secrets that they would have, and nothing of it is kept', async () => {
    const server = openToolServer(world.lanes, 'tried', [search], 'sessions')
    server.authorization = 'Bearer canary-token-1234567'
    const before = dataOf(await world.owner.get(path))['total']
    const wish = { url: server.url, auth: 'bearer', headers: { 'X-Team': 'blue' } }
    const test = async (more: object) => dataOf(await world.owner.post(`${path}/test`, { ...wish, ...more }))
    const found = await test({ credentials: { token: 'canary-token-1234567' } })
    assert.deepEqual([found['ok'], found['revision'], found['tools']], [true, '2025-11-25', ['search']])
    assert.equal(server.headers.at(-1)?.['x-team'], 'blue')
    const refused = await test({ credentials: { token: 'another-token-123456' } })
    const checks = (refused['checks'] as unknown as readonly Body[]).map(({ name, ok }) => [name, ok])
    assert.deepEqual(
      [refused['ok'], checks],
      [
        false,
        [
          ['connection', true],
          ['tools', false],
        ],
      ],
    )
    for (const wrong of [
      { url: 'http://10.0.0.1/mcp' },
      { auth: 'oauth_client_credentials' },
      { headers: { host: 'a' } },
    ]) {
      const answer = await world.owner.post(`${path}/test`, { ...wish, ...wrong })
      assert.deepEqual(refusalOf(answer), { status: 422, code: 4229, reason: 'mcp_invalid' })
    }
    assert.equal(dataOf(await world.owner.get(path))['total'], before)
  })

  it('are tried by a tenant only so many at a time, which keeps no other one waiting', async () => {
    const waiting: ServerResponse[] = []
    const url = world.lanes.open('stalled', (_request, response) => void waiting.push(response))
    const test = () => world.owner.post(`${path}/test`, { url })
    const first = Array.from({ length: 4 }, test)
    await until(() => waiting.length === 4)
    assert.deepEqual(refusalOf(await test()), { status: 429, code: 4298, reason: 'mcp_server_busy' })
    const other = world.admin.post(`${path}/test`, { url })
    await until(() => waiting.length === 5)
    for (const response of waiting) response.writeHead(503).end()
    const found = await Promise.all([...first, other])
    assert.deepEqual(
      found.map((answer) => dataOf(answer)['ok']),
      found.map(() => false),
    )
    const server = openToolServer(world.lanes, 'after', [search], 'current')
    assert.equal(dataOf(await world.owner.post(`${path}/test`, { url: server.url }))['ok'], true)
  })

  it('are told as they are now to whoever has their version, which a look at their tools does not change', async () => {
    const server = openToolServer(world.lanes, 'looked', [search], 'current')
    const made = await addServer(world.owner, { name: 'looked', url: server.url, tools: ['search'] })
    const one = `${path}/${textOf(made['id'])}`
    const { headers } = await world.owner.get(one)
    server.tools = [{ ...search, description: 'Another one' }]
    dataOf(await world.owner.post(`${one}/refresh`))
    const again = await world.owner.get(one, { headers: { 'if-none-match': String(headers['etag']) } })
    assert.equal(toolIn(dataOf(again), 'search')['state'], 'changed')
    assert.equal((await world.owner.put(one, { timeout_ms: 900 }, { headers: { 'if-match': '"9"' } })).status, 412)
  })

  it('have tools that were allowed before they could be called wait for somebody to look', async () => {
    const server = openToolServer(world.lanes, 'unfit', [{ ...search, description: 'x'.repeat(8_001) }], 'current')
    const made = await addServer(world.owner, { name: 'unfit', url: server.url, tools: ['search'] })
    const one = `${path}/${textOf(made['id'])}`
    assert.equal(toolIn(made, 'search')['state'], 'unfit')
    for (const description of ['Finds orders', 'Finds orders, and sends them on']) {
      server.tools = [{ ...search, description }]
      const seen = dataOf(await world.owner.post(`${one}/refresh`))
      assert.deepEqual([toolIn(seen, 'search')['state'], seen['tool_counts']?.['on']], ['awaiting_approval', 0])
    }
  })

  it('are named by agents, which are found by that, whether they would or do answer so', async () => {
    const { url } = openToolServer(world.lanes, 'named', [search], 'current')
    await addServer(world.owner, { name: 'named', url, tools: ['search'] })
    const tools = [{ plugin: 'mcp:named', name: 'search' }]
    const asked = '/admin/ai/agents?tools_of=mcp:named'
    const codes = async () => listOf(dataOf(await world.owner.get(asked)), 'code')
    await makeAgent(world.owner, { code: 'without', model: 'fast' })
    assert.deepEqual(await codes(), [])
    const made = await makeAgent(world.owner, { code: 'with', model: 'fast', tools })
    assert.deepEqual(await codes(), ['with'])
    // Its draft names none any more; what answers still does.
    dataOf(await world.owner.put(`/admin/ai/agents/${made}`, { tools: [] }))
    assert.deepEqual(await codes(), ['with'])
    assert.deepEqual(listOf(dataOf(await world.owner.get('/admin/ai/agents?tools_of=mcp:other')), 'code'), [])
  })
})
