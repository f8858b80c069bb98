import { namespaces } from '../connections/keys.ts'
import { clientFrames, serverFrames } from './frame-schemas.ts'
import type { WireEvent } from './wire-event.ts'

/** The events, and the frames around them, as AsyncAPI 3 tells them. */
export function asyncApiDocument(events: readonly WireEvent[], publicUrl: string): object {
  const { protocol, host } = new URL(publicUrl)
  const frames = [
    ...serverFrames.map((frame) => [`server.${frame.type}`, frame] as const),
    ...clientFrames.map((frame) => [`client.${frame.type}`, frame] as const),
  ]
  const messages = [
    ...events.map((event) => [idOf(event), messageOf(event)] as const),
    ...frames.map(
      ([id, { type, ...frame }]) => [id, { name: type, contentType: 'application/json', ...frame }] as const,
    ),
  ]
  const sentIn = (namespace: string): readonly string[] => [
    ...new Set(events.filter((event) => event.namespace === namespace).map(idOf)),
    ...serverFrames.map(({ type }) => `server.${type}`),
  ]
  const received = clientFrames.map(({ type }) => `client.${type}`)
  const channels = namespaces.map((namespace) => {
    const ids = [...sentIn(namespace), ...received]
    const refs = Object.fromEntries(ids.map((id) => [id, ref(`components/messages/${id}`)]))
    return [
      namespace,
      { address: `/ws/${namespace}`, messages: refs, bindings: { ws: { method: 'GET', query } } },
    ] as const
  })
  const operations = namespaces.flatMap((namespace): readonly (readonly [string, object])[] => {
    const of = (ids: readonly string[]) => ids.map((id) => ref(`channels/${namespace}/messages/${id}`))
    const channel = ref(`channels/${namespace}`)
    return [
      [`${namespace}Events`, { action: 'send', channel, messages: of(sentIn(namespace)) }],
      [`${namespace}Requests`, { action: 'receive', channel, messages: of(received) }],
    ]
  })
  const security = Object.keys(securitySchemes).map((name) => ref(`components/securitySchemes/${name}`))
  return {
    asyncapi: '3.0.0',
    info: { title: 'Stoa events', version: '1.0.0', description: about },
    defaultContentType: 'application/json',
    servers: { platform: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', security } },
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
    components: { messages: Object.fromEntries(messages), securitySchemes },
  }
}

const about =
  'Say who you are by an Authorization header, ?ticket= of POST /auth/ws-ticket, or a first frame {"type":"auth","token":"…"} within 5 s. ' +
  'The same frames come as Server-Sent Events at GET /events/{namespace}. ' +
  'What a plugin publishes under its own name comes in /ws/tenant of its tenant, and in /ws/admin where it acts for the platform, to those who may open an entry of it in the console.'

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  ticket: {
    type: 'httpApiKey',
    in: 'query',
    name: 'ticket',
    description: 'Of POST /auth/ws-ticket; opens one connection',
  },
}

const query = {
  type: 'object',
  properties: {
    ticket: { type: 'string' },
    last_id: { type: 'string', format: 'uuid', description: 'What came after this event comes first' },
  },
}

function ref(path: string) {
  return { $ref: `#/${path}` }
}

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
