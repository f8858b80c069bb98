import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import { startFakeUpstream } from '../../support/fake-upstream/start.ts'
import { startLanes } from '../../support/mcp/http-lanes.ts'
import { dataOf, startPlatform } from '../../support/platform.ts'
import type { Api, Body } from '../../support/api.ts'
import { tenantWithUser } from '../agents/world.ts'

/** Where servers are administered. */
export const path = '/admin/ai/mcp-servers'

/** A platform with a vendor of models, a tenant with a user, and a port on which a test opens servers of tools. */
export async function startWithTools() {
  await using started = new AsyncDisposableStack()
  const lanes = started.use(await startLanes())
  const upstream = started.use(await startFakeUpstream())
  const lane = upstream.lane('chat')
  const env = {
    EGRESS_ALLOW_PRIVATE: [lanes.port, upstream.port].map((port) => `127.0.0.1:${String(port)}`).join(','),
    // What a second host of the same platform has, too.
    CONFIG_FERNET_KEYS: generateFernetKey(),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  }
  const platform = started.use(await startPlatform({ env }))
  const { admin } = platform
  const vendor = { code: 'fake', name: 'Fake', type: 'openai_compatible', base_url: lane.v1 }
  const provider = await admin.post('/admin/ai/providers', { ...vendor, credentials: { api_key: 'sk-test-1234' } })
  const model = { name: 'fast', kind: 'chat', provider_id: dataOf(provider, 201)['id'], upstream_model: 'up' }
  dataOf(await admin.post('/admin/ai/models', { ...model, price: { input: '1', output: '2' } }), 201)
  const tenant = await tenantWithUser(platform, 'tools')
  const stack = started.move()
  return { platform, env, admin, lanes, lane, ...tenant, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Adds a server; answers it as it is shown. */
export async function addServer(by: Api, wish: object): Promise<Body> {
  return dataOf(await by.post(path, wish), 201)
}

/** A tool of a server, as it is shown. */
export function toolIn(server: Body, name: string): Body {
  const found = (server['tools'] as unknown as readonly Body[]).find((tool) => (tool['name'] as unknown) === name)
  if (!found) throw new Error(`There is no tool ${name}`)
  return found
}
