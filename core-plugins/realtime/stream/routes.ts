import {
  bare,
  defineRoute,
  eventStream,
  ParamsInvalidError,
  UnauthenticatedError,
  UnavailableError,
  type Route,
} from '#kernel'
import type { Brought } from '../admission.ts'
import type { Connection } from '../connections/connection.ts'
import { readTopics } from '../connections/topics.ts'
import type { Realtime } from '../realtime.ts'
import { demandId } from '../sockets/client-frame.ts'
import { EventQueue } from './event-queue.ts'

const params = {
  type: 'object',
  required: ['namespace'],
  properties: {
    namespace: {
      enum: ['user', 'tenant', 'admin'],
      description: 'Whose events are meant: of the user, of the tenant, of the platform',
    },
  },
} as const

const query = {
  type: 'object',
  properties: {
    ticket: { type: 'string', maxLength: 200, description: 'Of POST /auth/ws-ticket, where no header can be sent' },
    last_id: { type: 'string', format: 'uuid', description: 'Begin after this event; Last-Event-ID stands over it' },
    topics: {
      type: 'string',
      maxLength: 2000,
      description: 'Names of events, or beginnings with .*, set off by commas',
    },
  },
} as const

/** The same events for clients behind proxies that break WebSockets. */
export function streamRoutes(realtime: Realtime, document: object): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/events/{namespace}',
      summary: 'Read the events of a namespace as Server-Sent Events',
      auth: 'optional',
      produces: ['text/event-stream'],
      schema: { params, query },
      errors: [4010, 4033, 4035, 4290],
      async handler(ctx) {
        if (realtime.isStopping) throw new UnavailableError()
        const { namespace } = ctx.params
        const lastId = readLastId(ctx.header('last-event-id') ?? ctx.query.last_id)
        const filter = ctx.query.topics === undefined ? undefined : readTopics(ctx.query.topics.split(','))
        if (ctx.query.topics !== undefined && !filter) throw wrong('topics')
        const brought = broughtBy(ctx.header('authorization'), ctx.query.ticket)
        const caller = await realtime.enter(namespace, brought, ctx.state.ip)
        const place = realtime.addresses.take(ctx.state.ip)
        place.known()
        const beat = setInterval(() => realtime.beat(connection), realtime.limits.heartbeatMilliseconds).unref()
        const queue = new EventQueue(() => {
          clearInterval(beat)
          place[Symbol.dispose]()
          connection.leave()
        })
        const connection: Connection = realtime.connect(namespace, caller, queue, lastId)
        connection.topics = filter
        return eventStream(queue)
      },
    }),
    defineRoute({
      method: 'get',
      path: '/asyncapi.json',
      summary: 'Read the description of the events',
      auth: 'none',
      answers: [{ isBare: true, schema: { type: 'object' } }],
      handler: () => bare(document, { headers: { 'cache-control': 'no-cache' } }),
    }),
  ]
}

function broughtBy(authorization: string | undefined, ticket: string | undefined): Brought {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined && ticket === undefined) throw new UnauthenticatedError()
  return token === undefined ? { ticket } : { token }
}

function readLastId(value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  try {
    return demandId(value)
  } catch {
    throw wrong('last_id')
  }
}

function wrong(field: string): Error {
  return new ParamsInvalidError({
    errors: [{ field, rule: 'format', message: 'is not what it should be', params: {} }],
  })
}
