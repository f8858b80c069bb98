import { createHmac } from 'node:crypto'
import { EgressError, type GuardedFetch, type GuardedResponse } from '#kernel'
import { MailOrSmsError, MessageRefusedError } from '../errors.ts'
import type { Delivery, MessageDriver } from './driver.ts'

const timeoutMs = 10_000
const answerBytes = 65_536
/** The receiver understood the request and will not take it; anything else may be mended on its side. */
const finalStatuses: ReadonlySet<number> = new Set([400, 410, 413, 422])

/** Where text messages are handed over. */
interface WebhookSettings {
  readonly url: string
  readonly secret: string
}

/** Hands text messages to the operator's gateway: POST, signed, no redirects, public addresses only. */
export function createWebhookDriver({ url, secret }: WebhookSettings, client: GuardedFetch): MessageDriver {
  const target = URL.parse(url)
  const canDeliver = target !== null && secret !== ''
  return {
    canDeliver,
    async deliver(delivery, signal) {
      if (!canDeliver) throw new MailOrSmsError({ fault: 'the webhook or its secret is not configured' })
      const body = bodyOf(delivery)
      const headers = signedHeaders(delivery.id, body, secret)
      const request = { url: target, method: 'POST', headers, body, timeoutMs, maxBytes: answerBytes, signal }
      const { status } = await send(client, request)
      if (status >= 200 && status < 300) return
      const fault = `the webhook answered ${status}`
      throw finalStatuses.has(status) ? new MessageRefusedError({ fault }) : new MailOrSmsError({ fault })
    },
  }
}

function bodyOf({ message: { to, template, values, tenantId }, text }: Delivery): string {
  return JSON.stringify({ to, text: text.sms, template, values, tenant_id: tenantId })
}

/** The receiver checks the signature, that the time is near and that the id is new. */
function signedHeaders(id: string, body: string, secret: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'x-stoa-message-id': id,
    'x-stoa-timestamp': timestamp,
    'x-stoa-signature': `sha256=${signature}`,
  }
}

async function send(client: GuardedFetch, request: Parameters<GuardedFetch['fetch']>[0]): Promise<GuardedResponse> {
  try {
    return await client.fetch(request)
  } catch (cause) {
    if (cause instanceof EgressError) throw new MailOrSmsError({ fault: cause.message }, { cause })
    throw cause
  }
}
