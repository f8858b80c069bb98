import {
  defineRoute,
  Reply,
  TenantNotRecognisedError,
  type Route,
  type RouteContext,
  type TenantResolver,
} from '#kernel'
import type { AgentDirectory } from '../../agents/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import { nobodyOf } from './key-user.ts'
import { errorIn } from '../door/error-in.ts'
import { mapped } from '../encodings/mapped.ts'
import { eventId, type RunEvent } from '../run-events.ts'
import { tryAnswer, tryBody, tryParams } from './schemas.ts'
import type { UnstoredRun, UnstoredRuns } from './unstored-runs.ts'

interface TryParts {
  readonly agents: Pick<AgentDirectory, 'draft'>
  readonly gateway: Pick<AiGateway, 'demandOpen'>
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly runs: UnstoredRuns
}

/** Trying a draft before it is published. */
export function tryRoutes(parts: TryParts): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/ai/agents/{agent_id}/try',
      summary: 'Ask the draft of an AI agent; nothing of it is stored but what it costs',
      permission: { platform: 'ai_agent:update', tenant: 'tenant_agent:update' },
      errors: [4002, 4036, 4047, 4048, 4290, 4296, 4298, 5021, 5034],
      answers: [200, { types: ['text/event-stream'] }],
      schema: { params: tryParams, body: tryBody, response: tryAnswer },
      async handler(ctx) {
        const run = await start(ctx, ctx.params.agent_id, ctx.body, parts)
        return ctx.body.stream === true ? streamed(run) : answerOf(run)
      },
    }),
  ]
}

interface TryWish {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  readonly inputs?: Readonly<Record<string, string>>
}

async function start(
  { principal, state, signal }: Pick<RouteContext, 'principal' | 'state' | 'signal'>,
  agentId: string,
  { messages, inputs = {} }: TryWish,
  { agents, gateway, tenants, runs }: TryParts,
): Promise<UnstoredRun> {
  const agent = await agents.draft(principal, agentId)
  await gateway.demandOpen(agent.tenantId)
  const tenant = await tenants.byId(agent.tenantId)
  if (!tenant) throw new TenantNotRecognisedError()
  return runs.start({
    ...{ agent, tenant, inputs, signal, traceId: state.traceId, locale: state.locale },
    // Whoever administers the platform is no user of the tenant.
    user: principal.scope === 'tenant' ? principal : nobodyOf(agent.tenantId),
    messages: messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', text: content }] })),
    ...{ maxOutputTokens: undefined, temperature: undefined },
  })
}

function streamed({ id, live }: UnstoredRun): Reply {
  const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  const frames = ({ seq, kind, data }: RunEvent) => [{ id: eventId(id, seq), event: kind, data }]
  const events = mapped(live.read(-1), frames)
  return new Reply({ kind: 'events', events }, 200, headers)
}

async function answerOf({ id, live }: UnstoredRun) {
  const events: RunEvent[] = []
  for await (const event of live.read(-1)) events.push(event)
  const last = events.at(-1)
  if (last?.kind === 'run.failed') throw errorIn(last.data)
  const message = events.find(({ kind }) => kind === 'message.completed')?.data['message'] ?? null
  const context = events.find(({ kind }) => kind === 'context.ready')?.data ?? null
  return { run_id: id, status: last?.data['status'], message, usage: last?.data['usage'] ?? null, context }
}
