import assert from 'node:assert/strict'
import { ToolCalls } from '../../../core-plugins/mcp/use/tool-calls.ts'
import { textOf } from '../../support/attachments.ts'
import { openToolServer, type TestTool } from '../../support/mcp/tool-server.ts'
import { dataOf } from '../../support/platform.ts'
import { addServer, path, startWithTools, toolIn } from './world.ts'

const read: TestTool = { name: 'read', description: 'Reads', inputSchema: { type: 'object' } }

describe('A tool of an MCP server that was offered to a run', () => {
  it('is called as it was offered, and not as what was approved since or while it was looked at', async () => {
    await using world = await startWithTools()
    const server = openToolServer(world.lanes, 'offered', [read], 'current')
    const made = await addServer(world.owner, { name: 'offered', url: server.url, tools: ['read'] })
    const one = `${path}/${textOf(made['id'])}`
    const change = async (description: string) => {
      server.tools = [{ ...read, description }]
      const { hash } = toolIn(dataOf(await world.owner.post(`${one}/refresh`)), 'read')
      dataOf(await world.owner.post(`${one}/approve`, { tools: [{ name: 'read', hash }] }))
    }
    let called = 0
    let meanwhile: () => Promise<unknown> = () => Promise.resolve()
    const calls = new ToolCalls({
      db: world.platform.host.kernel.database.knex,
      looker: { demandFresh: async () => void (await meanwhile()), refresh: () => undefined },
      peers: {
        with: () => {
          called += 1
          return Promise.reject(new Error('it was called'))
        },
      },
    })
    const offer = async () => {
      const [tool] = await calls.usable(world.id, [{ server: 'offered', name: 'read' }])
      return tool ?? assert.fail('it is on')
    }
    const call = async (tool: Awaited<ReturnType<typeof offer>>) => {
      const outcome = await calls.call(tool, {}, AbortSignal.timeout(60_000))
      return outcome.ok || outcome.reason
    }
    await assert.rejects(call(await offer()), /it was called/)
    const before = await offer()
    await change('Reads, and more')
    assert.equal(await call(before), 'mcp_tool_off')
    meanwhile = () => change('Reads everything')
    assert.equal(await call(await offer()), 'mcp_tool_off')
    meanwhile = () => world.owner.put(one, { status: 'disabled' })
    const disabled = await offer()
    await assert.rejects(call(disabled), /it was called/)
    assert.equal(await call(disabled), 'mcp_tool_off')
    assert.equal(called, 2)
  })
})
