import { defineRoute, type Route } from '#kernel'
import type { RouteContext } from '#kernel'
import type { MessageFiles } from '../files/message-files.ts'
import type { ChatWish } from '../door/chat-wish.ts'
import type { ChatService } from '../door/chat-service.ts'
import { callerOf, streamed } from '../door/routes.ts'
import type { AgentRouter, RouteDecision, RouteWish } from './agent-router.ts'
import { routeAnswer, routeBody } from './schemas.ts'

interface RoutingParts {
  readonly router: AgentRouter
  readonly chat: ChatService
  readonly messageFiles: Pick<MessageFiles, 'typesOf'>
}

/** Which agent should answer. */
export function routingRoutes(parts: RoutingParts): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', auth: 'tenant', permission: 'user_agent:chat', path: '/ai/agent-chat/route' },
      summary:
        'Find the AI agent that should answer a message; with `dispatch` it answers at once, as events where the caller accepts them',
      produces: ['application/json', 'text/event-stream'],
      errors: [4008, 4031, 4036, 4045, 4047, 4048, 4094, 4130, 4229, 4290, 4296, 4298, 5021, 5034],
      schema: { body: routeBody, response: routeAnswer },
      handler: (ctx) => route(ctx, ctx.body, parts),
    }),
  ]
}

type Context = Pick<RouteContext, 'principal' | 'tenant' | 'state' | 'signal' | 'header'>

interface Wish extends Pick<ChatWish, 'on_disconnect' | 'client_message_id'> {
  readonly message: NonNullable<ChatWish['message']>
  readonly conversation_id?: string | null
  readonly candidates?: readonly string[] | null
  readonly limit?: number
  readonly dispatch?: boolean
}

async function route(ctx: Context, wish: Wish, { router, chat, messageFiles }: RoutingParts): Promise<unknown> {
  const caller = callerOf(ctx)
  const { message, conversation_id: conversation, candidates, limit = 3, client_message_id = null } = wish
  if (wish.dispatch === true) {
    // Looked for once: another time it might be another agent, who would answer the same once more.
    const before = await chat.routedBefore(
      { message, conversation_id: conversation ?? null, client_message_id },
      ctx.principal,
    )
    if (before) return dispatched(ctx, before.started, before.decision, chat)
  }
  const asked: RouteWish = {
    message: { text: wordsIn(message), attachmentTypes: await messageFiles.typesOf(message, ctx.principal) },
    conversationId: conversation ?? undefined,
    ...{ candidates: candidates ?? undefined, limit, traceId: caller.traceId, signal: ctx.signal },
  }
  const decision = await router.route(ctx.principal, asked)
  const presented = presentDecision(decision)
  if (wish.dispatch !== true) return presented
  // An agent has its own conversations.
  const place = decision.sticky ? { conversation_id: conversation ?? null } : {}
  const asking = { message, ...place, on_disconnect: wish.on_disconnect ?? 'cancel', client_message_id }
  const started = await chat.start(decision.agent.id, asking, { ...caller, decision: presented })
  return dispatched(ctx, started, presented, chat)
}

/** The answer of the agent that was found, as its caller wants it. */
async function dispatched(
  ctx: Context,
  started: Awaited<ReturnType<ChatService['start']>>,
  decision: object,
  chat: ChatService,
): Promise<unknown> {
  const wantsEvents = (ctx.header('accept') ?? '').includes('text/event-stream')
  if (wantsEvents) return streamed(started.run, started.read())
  return { ...decision, answer: await chat.answerOf(started, ctx.signal) }
}

function wordsIn(message: Wish['message']): string {
  if (typeof message === 'string') return message
  return message.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function presentDecision({ agent, alternatives, latencyMs, confidence, strategy, reason, ...rest }: RouteDecision) {
  const { sticky, fallback, cost } = rest
  return {
    agent: { id: agent.id, code: agent.code, name: agent.definition.name },
    ...{ confidence, strategy, reason, sticky },
    alternatives: alternatives.map((other) => ({
      agent: { id: other.agent.id, code: other.agent.code, name: other.agent.definition.name },
      confidence: other.confidence,
    })),
    ...{ fallback, latency_ms: latencyMs, cost },
  }
}
