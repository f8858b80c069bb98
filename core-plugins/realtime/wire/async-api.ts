import { namespaces } from '../connections/keys.ts'
import type { WireEvent } from './wire-event.ts'

/** The events as AsyncAPI 3 tells them. */
export function asyncApiDocument(events: readonly WireEvent[], publicUrl: string): object {
  const { protocol, host } = new URL(publicUrl)
  const messages = new Map(events.map((event) => [idOf(event), messageOf(event)]))
  const channels = namespaces.map((namespace) => {
    const own = [...new Set(events.filter((event) => event.namespace === namespace).map(idOf))]
    const refs = Object.fromEntries(own.map((id) => [id, { $ref: `#/components/messages/${id}` }]))
    return [namespace, { address: `/ws/${namespace}`, messages: refs }] as const
  })
  return {
    asyncapi: '3.0.0',
    info: { title: 'Stoa events', version: '1.0.0', description: about },
    servers: { platform: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } },
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(
      namespaces.map((namespace) => [
        `${namespace}Events`,
        { action: 'send', channel: { $ref: `#/channels/${namespace}` } },
      ]),
    ),
    components: { messages: Object.fromEntries(messages) },
  }
}

const about =
  'Say who you are by an Authorization header, ?ticket= of POST /auth/ws-ticket, or a first frame {"type":"auth","token":"…"} within 5 s. ' +
  'The same frames come as Server-Sent Events at GET /events/{namespace}. ' +
  'What a plugin publishes under its own name comes in /ws/tenant of its tenant, and in /ws/admin where it acts for the platform, to those who may open an entry of it in the console.'

function idOf({ namespace, name }: Pick<WireEvent, 'namespace' | 'name'>): string {
  return `${namespace}.${name}`
}

function messageOf({ name, summary, data, permissions = [] }: WireEvent): object {
  const text = { type: 'string' }
  return {
    name,
    summary,
    ...(permissions.length > 0 && { description: `Needs ${permissions.join(', ')}` }),
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: ['id', 'type', 'event', 'ts', 'v', 'data'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        type: { const: 'event' },
        event: { const: name },
        ts: { ...text, format: 'date-time' },
        v: { const: 1 },
        data,
      },
    },
  }
}
