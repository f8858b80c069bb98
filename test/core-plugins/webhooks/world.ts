import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin, type Plugin } from '#kernel'
import { corePlugins } from '../../../core-plugins/index.ts'
import webhooks from '../../../core-plugins/webhooks/index.ts'
import { limits, type WebhookLimits } from '../../../core-plugins/webhooks/limits.ts'
import { needs } from '../../../core-plugins/webhooks/needs.ts'
import { setupWebhooks } from '../../../core-plugins/webhooks/setup.ts'
import type { Body } from '../../support/api.ts'
import { until } from '../../support/until.ts'

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
  answers: Map<string, number>
}

/** Starts a receiver on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const header = (name: string): string => String(request.headers[name])
      const path = request.url ?? ''
      received.push({
        ...{ path, text, body: JSON.parse(text) as Received['body'] },
        ...{ id: header('webhook-id'), timestamp: header('webhook-timestamp') },
        signatures: header('webhook-signature').split(' '),
      })
      response.writeHead(answers.get(path) ?? 204).end()
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
