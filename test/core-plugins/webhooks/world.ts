import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin, type Plugin } from '#kernel'
import { corePlugins } from '../../../core-plugins/index.ts'
import webhooks from '../../../core-plugins/webhooks/index.ts'
import { limits, type WebhookLimits } from '../../../core-plugins/webhooks/limits.ts'
import { needs } from '../../../core-plugins/webhooks/needs.ts'
import { setupWebhooks } from '../../../core-plugins/webhooks/setup.ts'
import type { Api, Body } from '../../support/api.ts'
import { configure } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

/** A hook as it was made. */
export interface Hook {
  readonly id: string
  readonly secret: string
}

/** What a receiver got. */
export interface Received {
  readonly path: string
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly string[]
  readonly text: string
  readonly body: { readonly type: string; readonly tenant_id: number; readonly data: Body }
}

/** A server that hooks lead to, each of its paths another hook’s. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  url(path: string, host?: string): string
  /** What a path got, in the order in which it came. */
  at(path: string): readonly Received[]
  /** Waits for so many at a path. */
  wait(path: string, count?: number): Promise<readonly Received[]>
  /** What a path answers; 204 unless said otherwise. */
  readonly answers: Map<string, number | ((type: string, response: ServerResponse) => void)>
}

/** Starts a receiver on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers: Receiver['answers'] = new Map()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const header = (name: string): string => String(request.headers[name])
      const path = request.url ?? ''
      const body = JSON.parse(text) as Received['body']
      received.push({
        ...{ path, text, body },
        ...{ id: header('webhook-id'), timestamp: header('webhook-timestamp') },
        signatures: header('webhook-signature').split(' '),
      })
      const answer = answers.get(path) ?? 204
      if (typeof answer === 'number') response.writeHead(answer).end()
      else answer(body.type, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const at = (path: string): readonly Received[] => received.filter((one) => one.path === path)
  return {
    port,
    answers,
    at,
    url: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    async wait(path, count = 1) {
      await until(() => at(path).length >= count)
      return at(path)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The signature of Standard Webhooks that a secret makes of what came. */
export function signatureOf(secret: string, { id, timestamp, text }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`
}

/** Every core plugin but the first run’s, with other patience where it is given. */
export function pluginsWith(others: Partial<WebhookLimits>): readonly Plugin[] {
  const limited = definePlugin({
    ...webhooks,
    needs,
    setup: (scope, needed) => setupWebhooks(scope, needed, { ...limits, ...others }),
  })
  return corePlugins
    .filter(({ name }) => name !== 'first_run')
    .map((plugin) => (plugin === webhooks ? limited : plugin))
}

/** A platform with two tenants, and a server that their hooks lead to. */
export class HookWorld implements AsyncDisposable {
  readonly receiver: Receiver
  readonly platform: TestPlatform
  readonly acme: TestTenant
  readonly other: TestTenant
  #paths = 0
  #timeouts = 600

  private constructor(receiver: Receiver, platform: TestPlatform, acme: TestTenant, other: TestTenant) {
    this.receiver = receiver
    this.platform = platform
    this.acme = acme
    this.other = other
  }

  static async start(): Promise<HookWorld> {
    const receiver = await startReceiver()
    const env = { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${receiver.port},localhost:${receiver.port}` }
    const plugins = pluginsWith({ delays: [0, 0], failures: 1_000 })
    const platform = await startTestPlatform({ plugins, env })
    return new HookWorld(receiver, platform, await platform.createTenant('acme'), await platform.createTenant('other'))
  }

  /** A path of the receiver's that nobody has. */
  fresh(): string {
    return `/hook${(this.#paths += 1)}`
  }

  async add(by: Api, where: string, path: string, more: object = {}): Promise<Hook> {
    const wish = { name: path, url: this.receiver.url(path), events: ['config.*'], ...more }
    return dataOf(await by.post(where, wish), 201) as unknown as Hook
  }

  async deliveries(by: Api, where: string, query = ''): Promise<readonly Body[]> {
    return dataOf(await by.get(`${where}/deliveries${query}`))['items'] as unknown as readonly Body[]
  }

  /** Causes `config.updated` in a tenant. */
  cause(tenant = this.acme): Promise<void> {
    return configure(tenant.owner, 'tenant', 'tenant_security', { session_timeout: (this.#timeouts += 1) })
  }

  async shownAt(path: string): Promise<Readonly<Record<string, unknown>>> {
    return dataOf(await this.acme.owner.get(path))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.platform[Symbol.asyncDispose]()
    await this.receiver[Symbol.asyncDispose]()
  }
}
