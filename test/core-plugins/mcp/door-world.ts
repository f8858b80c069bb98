import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { makeAgent } from '../agents/world.ts'
import { addReady, makeBase } from '../knowledge/world.ts'
import { startWithTools } from './world.ts'

/** A plugin with tools. */
export const plugin = 'acme.mcptools'
const text = { default: 'A text' }
/** What its tools take. */
export const input = {
  ...{ type: 'object', additionalProperties: false, required: ['id'] },
  properties: { id: { type: 'integer', minimum: 1 } },
}
const manifest = {
  capabilities: ['ai:tool'],
  reasons: { 'ai:tool': 'Finds orders.' },
  permissions: [{ code: 'read', title: text }],
  tenant_routes: [{ method: 'GET', path: '/any', handler: 'any', permission: 'read' }],
  provides: {
    aiTools: [
      { name: 'order_lookup', title: { default: 'Order lookup' }, description: text, input, handler: 'lookUp' },
      { name: 'order_secret', description: text, input, handler: 'lookUp', permission: 'read' },
      { name: 'order_break', description: text, input, handler: 'fail', effect: 'write' },
    ],
  },
}
const definition = `{
  handlers: { any: () => 1 },
  aiTools: {
    lookUp: ({ id }) => ({ content: 'order ' + id + ' left on Monday' }),
    fail: () => { throw new Error('broken') },
  },
}`
/** What the official client calls the revisions that are spoken here. */
export const eras = ['auto', 'legacy'] as const

/** A tenant with tools of a plugin, an agent for everybody and one for its owner, and a document. */
export async function startDoor() {
  const world = await startWithTools()
  await installAndEnable(world.admin, await packSmall(plugin, manifest, definition))
  dataOf(await world.admin.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [world.id] }))
  dataOf(await world.owner.post(`/tenant/plugins/${plugin}/enable`, {}))
  const suggested = { suggested_questions: ['Where is my order?'] }
  await makeAgent(world.owner, { ...{ code: 'helper', model: 'fast', generate_titles: false }, ...suggested })
  const access = { mode: 'restricted', roles: ['tenant_owner'] }
  await makeAgent(world.owner, { code: 'hidden', model: 'fast', access })
  const base = await makeBase(world.owner)
  await addReady(world.owner, base, { title: 'Shipping', text: 'Parcels leave on Mondays.' })
  return world
}

/** The official client at the door. */
export async function connect(url: string, token: string, mode: (typeof eras)[number] = 'auto') {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/v1/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  return { client, [Symbol.asyncDispose]: () => client.close() }
}

/** One message without a client. */
export function post(api: Api, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return api.post('/v1/mcp', body, { headers: { accept: 'application/json, text/event-stream', ...headers } })
}
