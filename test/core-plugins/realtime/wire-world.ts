import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Api } from '../../support/api.ts'
import { createTestDatabase, testRedisUrl } from '../../support/cluster.ts'
import { startFakeDns } from '../../support/fake-dns.ts'
import { startFakeUpstream } from '../../support/fake-upstream/start.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { silentLog, startTestKernel } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { textOf } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { smtpAllowance, startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { serverOf, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'
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
  readonly userEmail: string
  readonly upstream: Awaited<ReturnType<typeof startFakeUpstream>>
  /** Between the host that is called and its database. */
  readonly wire: TcpProxy
  readonly smtp: SmtpServer
  /** What the name server knows: `TXT name` and the like. */
  readonly zone: Map<string, readonly string[]>
}

/** A platform, and everybody who listens at it. */
export class WireWorld implements AsyncDisposable {
  readonly clients = new Map<string, SocketClient>()
  /** Fulfilled once a plugin that runs without an end has been called for too long. */
  readonly worn: Promise<void>
  readonly #facts: WireFacts
  readonly #resources: AsyncDisposableStack
  #agent: Promise<string> | undefined

  private constructor(facts: WireFacts, resources: AsyncDisposableStack) {
    this.#facts = facts
    this.#resources = resources
    this.worn = wearOut(facts.platform.admin)
    // Who waits for it is told; what fails before anybody does is no fault of the process.
    this.worn.catch(() => undefined)
  }

  get platform(): TestPlatform {
    return this.#facts.platform
  }

  get acme(): TestTenant {
    return this.#facts.acme
  }

  get other(): TestTenant {
    return this.#facts.other
  }

  get userId(): number {
    return this.#facts.userId
  }

  get userEmail(): string {
    return this.#facts.userEmail
  }

  get wire(): TcpProxy {
    return this.#facts.wire
  }

  get smtp(): SmtpServer {
    return this.#facts.smtp
  }

  get zone(): WireFacts['zone'] {
    return this.#facts.zone
  }

  /** Where hosts share Redis, everybody listens at another host than the one that is called. */
  static async start(): Promise<WireWorld> {
    await using made = new AsyncDisposableStack()
    const upstream = made.use(await startFakeUpstream())
    const smtp = made.use(await startSmtpServer())
    const zone: WireFacts['zone'] = new Map()
    const dns = made.use(await startFakeDns((name, type) => zone.get(`${type} ${name}`) ?? []))
    const allowed = `127.0.0.1:${String(upstream.port)},${smtpAllowance}`
    const env = { ...hostSecrets, EGRESS_ALLOW_PRIVATE: allowed, DNS_SERVERS: dns.address }
    const plugins = pluginsWith({ frames: 1_000 })
    const { url: databaseUrl } = made.use(await createTestDatabase(migratedFor(plugins, silentLog)))
    const wire = made.use(await startTcpProxy(serverOf(databaseUrl)))
    const platform = made.use(await startTestPlatform({ plugins, env, databaseUrl: wire.through(databaseUrl) }))
    const [acme, other] = [await platform.createTenant('acme'), await platform.createTenant('other')]
    const userEmail = 'user@acme.test'
    const user = await platform.createUser(acme, userEmail, ['tenant_user'])
    await installAndEnable(platform.admin, await packEndless())
    const { namespace, url } = platform.test
    const shared = { plugins, env, databaseUrl, namespace }
    const listening = testRedisUrl() === undefined ? url : made.use(await startTestKernel(shared)).url
    const apis = { owner: acme.owner, user: user.api, other: other.owner, admin: platform.admin }
    const facts = { platform, acme, other, userId: user.id, userEmail, upstream, wire, smtp, zone }
    const world = new WireWorld(facts, made.move())
    for (const listener of listeners) {
      const [who, path] = listener.split('/') as [keyof typeof apis, string]
      world.clients.set(listener, await SocketClient.ready(apis[who].at(listening), `/ws/${path}`))
    }
    return world
  }

  /** Asks an agent something, in a conversation of its own. */
  async chat(): Promise<Answer> {
    const { admin } = this.platform
    this.#agent ??= (async () => {
      await this.provide(admin, 'fast')
      return makeAgent(this.acme.owner, { model: 'fast', generate_titles: false })
    })()
    return this.acme.owner.post(`/ai/agent-chat/${await this.#agent}/chat`, { message: 'Hello' })
  }

  /** Adds a provider and a model of it, both of this name, and answers the provider's id. */
  async provide(by: Api, name: string): Promise<string> {
    const url = this.#facts.upstream.lane('chat').v1
    const vendor = { code: name, name, type: 'openai_compatible', base_url: url }
    const credentials = { api_key: 'sk-test-1234' }
    const provider = textOf(dataOf(await by.post('/admin/ai/providers', { ...vendor, credentials }), 201)['id'])
    const model = { name, kind: 'chat', provider_id: provider, upstream_model: 'up' }
    dataOf(await by.post('/admin/ai/models', { ...model, price: { input: '1', output: '2' } }), 201)
    return provider
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients.values()) client[Symbol.dispose]()
    await this.#resources.disposeAsync()
  }
}

const endless = '/admin/plugins/acme.endless'

/** A plugin that uses up whatever time it is given. */
function packEndless(): Promise<Buffer> {
  const spin = { method: 'POST', path: '/spin', handler: 'spin' }
  return packSmall(
    'acme.endless',
    { admin_routes: [spin], limits: { cpuMs: 50 } },
    '{ handlers: { spin() { for (;;); } } }',
  )
}

/** Calls it until it is quarantined: after each of its pauses, which are half a minute long. */
async function wearOut(admin: Api): Promise<void> {
  await until(async () => {
    const { body, headers } = await admin.post(`${endless}/api/spin`)
    const { cause } = (body['details'] ?? {}) as { readonly cause?: string }
    if (cause === 'breaker_open') await sleep(Math.max(1, Number(headers['retry-after'])) * 50)
    return cause === 'quarantined'
  }, 110_000)
}
