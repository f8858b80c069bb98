import { defineRoute, Reply, type Route, type RouteContext } from '#kernel'
import { encodingOf, type Format } from '../encodings/encode.ts'
import type { RunEvent } from '../run-events.ts'
import type { RunRow } from '../tables.ts'
import type { ChatCaller, ChatService } from './chat-service.ts'
import { agentParams, cancelAnswer, chatAnswer, chatBody, formatQuery, runParams } from './schemas.ts'

const path = '/ai/agent-chat'
const chat = { auth: 'tenant', permission: 'user_agent:chat' } as const
const refusals = [4008, 4031, 4036, 4045, 4047, 4048, 4094, 4130, 4229, 4290, 4296, 4298]

/** Messages to agents. */
export function chatRoutes(service: ChatService): readonly Route[] {
  return [
    defineRoute({
      ...{ ...chat, method: 'post', path: `${path}/{agent_id}/chat` },
      summary: 'Send a message to an AI agent, and wait for the answer',
      errors: [...refusals, 5021, 5034],
      schema: { params: agentParams, body: chatBody, response: chatAnswer },
      async handler(ctx) {
        const started = await service.start(ctx.params.agent_id, ctx.body, callerOf(ctx))
        return service.answerOf(started, ctx.signal)
      },
    }),
    defineRoute({
      ...{ ...chat, method: 'post', path: `${path}/{agent_id}/chat/stream` },
      summary: 'Send a message to an AI agent, and read the answer as Server-Sent Events while it is made',
      errors: refusals,
      answers: [{ types: ['text/event-stream'] }],
      schema: { params: agentParams, body: chatBody, query: formatQuery },
      async handler(ctx) {
        const { run, read } = await service.start(ctx.params.agent_id, ctx.body, callerOf(ctx))
        return streamed(run, read(), ctx.query.format)
      },
    }),
    defineRoute({
      ...{ ...chat, method: 'get', path: `${path}/runs/{run_id}/events` },
      summary: 'Read the events of an answer that is being made, or was a moment ago, after Last-Event-ID',
      errors: [4036, 4040, 4100],
      answers: [{ types: ['text/event-stream'] }],
      schema: { params: runParams, query: formatQuery },
      async handler(ctx) {
        const { run, events } = await service.eventsOf(ctx.principal, ctx.params.run_id, ctx.header('last-event-id'))
        return streamed(run, events, ctx.query.format)
      },
    }),
    defineRoute({
      ...{ ...chat, method: 'post', path: `${path}/runs/{run_id}/cancel` },
      summary: 'End an answer that is being made; what was said stays',
      errors: [4036, 4040],
      schema: { params: runParams, response: cancelAnswer },
      handler: ({ principal, params }) => service.cancel(principal, params.run_id),
    }),
  ]
}

/** Who calls. */
export function callerOf({
  principal,
  tenant,
  state,
}: Pick<RouteContext, 'principal' | 'tenant' | 'state'>): ChatCaller {
  return { principal, tenant, traceId: state.traceId, locale: state.locale }
}

/** The events of a run as a stream. */
export function streamed(run: RunRow, events: AsyncIterableIterator<RunEvent>, format: Format = 'events'): Reply {
  const { headers, frames } = encodingOf(format)
  const always = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  return new Reply({ kind: 'events', events: frames(run, events) }, 200, { ...always, ...headers })
}
