import { createHmac } from 'node:crypto'

/** What is signed: the id of the message, the seconds of the attempt, and the body as it is sent. */
interface Signed {
  readonly id: string
  readonly seconds: number
  readonly body: string
}

/** The headers of Standard Webhooks 1.0.0 (standard-webhooks/spec): one signature for each key, the newest first. */
export function signedHeaders(
  { id, seconds, body }: Signed,
  keys: readonly Buffer[],
): Readonly<Record<string, string>> {
  const signatures = keys.map((key) => {
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Stoa-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
