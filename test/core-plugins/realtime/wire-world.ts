import type { EventRef } from '#kernel'
import type { Answer } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { startFakeUpstream } from '../../support/fake-upstream/start.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { dataOf } from '../../support/platform.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { makeAgent } from '../agents/world.ts'
import { hostSecrets } from '../hosts/world.ts'
import { pluginsWith } from './world.ts'

/** An event, who hears it, and what causes it: a request, but for what takes other services, weeks or an accident to happen. */
export type Cause = readonly [name: string, heardBy: readonly string[], cause: (world: WireWorld) => Promise<unknown>]

/** Who listens: owner and user of a tenant, the owner of another, and the platform's administrator, each in their namespaces. */
const listeners = [
  'owner/user',
  'owner/tenant',
  'user/user',
  'user/tenant',
  'other/user',
  'other/tenant',
  'admin/user',
  'admin/admin',
]

/** What causes are caused with. */
interface WireFacts {
  readonly platform: TestPlatform
  readonly acme: TestTenant
  readonly other: TestTenant
  /** Of a user of `acme`. */
  readonly userId: number
  readonly upstream: Awaited<ReturnType<typeof startFakeUpstream>>
}

/** A platform, and everybody who listens at it. */
export class WireWorld implements AsyncDisposable {
  readonly platform: TestPlatform
  readonly acme: TestTenant
  readonly other: TestTenant
  readonly userId: number
  readonly clients = new Map<string, SocketClient>()
  readonly #upstream: WireFacts['upstream']
  readonly #resources: AsyncDisposableStack
  #agent: Promise<string> | undefined

  private constructor({ platform, acme, other, userId, upstream }: WireFacts, resources: AsyncDisposableStack) {
    this.platform = platform
    this.acme = acme
    this.other = other
    this.userId = userId
    this.#upstream = upstream
    this.#resources = resources
  }

  /** Where hosts share Redis, everybody listens at another host than the one that is called. */
  static async start(): Promise<WireWorld> {
    await using made = new AsyncDisposableStack()
    const upstream = made.use(await startFakeUpstream())
    const env = { ...hostSecrets, EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` }
    const plugins = pluginsWith({ frames: 1_000 })
    const platform = made.use(await startTestPlatform({ plugins, env }))
    const [acme, other] = [await platform.createTenant('acme'), await platform.createTenant('other')]
    const user = await platform.createUser(acme, 'user@acme.test', ['tenant_user'])
    const { databaseUrl, namespace, url } = platform.test
    const shared = { plugins, env, databaseUrl, namespace }
    const listening = testRedisUrl() === undefined ? url : made.use(await startTestKernel(shared)).url
    const apis = { owner: acme.owner, user: user.api, other: other.owner, admin: platform.admin }
    const world = new WireWorld({ platform, acme, other, userId: user.id, upstream }, made.move())
    for (const listener of listeners) {
      const [who, path] = listener.split('/') as [keyof typeof apis, string]
      world.clients.set(listener, await SocketClient.ready(apis[who].at(listening), `/ws/${path}`))
    }
    return world
  }

  emit<P>(event: EventRef<P>, payload: P): Promise<unknown> {
    return runningKernel(this.platform).events.emit(event, payload)
  }

  /** Asks an agent something, in a conversation of its own. */
  async chat(): Promise<Answer> {
    const { admin } = this.platform
    this.#agent ??= (async () => {
      const url = this.#upstream.lane('chat').v1
      const vendor = { code: 'fake', name: 'Fake', type: 'openai_compatible', base_url: url }
      const provider = await admin.post('/admin/ai/providers', { ...vendor, credentials: { api_key: 'sk-test-1234' } })
      const model = { name: 'fast', kind: 'chat', provider_id: dataOf(provider, 201)['id'], upstream_model: 'up' }
      dataOf(await admin.post('/admin/ai/models', { ...model, price: { input: '1', output: '2' } }), 201)
      return makeAgent(this.acme.owner, { model: 'fast', generate_titles: false })
    })()
    return this.acme.owner.post(`/ai/agent-chat/${await this.#agent}/chat`, { message: 'Hello' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients.values()) client[Symbol.dispose]()
    await this.#resources.disposeAsync()
  }
}
