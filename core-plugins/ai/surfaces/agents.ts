import { AppError, InternalError, type RouteContext } from '#kernel'
import type { NeutralEvent, NeutralRequest } from '../contract.ts'
import { AiModelNotFoundError } from '../errors.ts'
import { ModelNotAllowedError } from '../relay/errors.ts'
import type { RelayRun, RelaySink, RelayStream, RunAbout } from '../relay/call.ts'
import { AnswerCollector } from '../wire/answer.ts'
import { hasScope, isListed } from './caller.ts'
import { tagsOf } from './tags.ts'
import { KeyScopeError } from './errors.ts'
import type { ListedModel, SurfaceKey, SurfaceParts } from './ports.ts'

const prefix = 'agent:'

/** What surfaces need to know of a run. */
export type SurfaceRun = Pick<RelayRun, 'answer' | 'stream'> & { readonly about: Pick<RunAbout, 'headers'> }

/** The name of an agent as a model. */
export function agentName(code: string): string {
  return prefix + code
}

/** Whether a model's name is an agent's. */
export function isAgentName(model: string): boolean {
  return model.startsWith(prefix)
}

/** The conversation that a request belongs to, as its client says. */
export function conversationOf(
  { metadata }: Pick<NeutralRequest, 'metadata'>,
  ctx: Pick<RouteContext, 'header'>,
): string | undefined {
  const said = metadata?.['conversation_id']
  return ctx.header('x-conversation-id') ?? (typeof said === 'string' ? said : undefined)
}

/** The agents that a key may use, as models. */
export async function listAgents(
  key: SurfaceKey,
  { agents }: Pick<SurfaceParts, 'agents'>,
): Promise<readonly ListedModel[]> {
  if (!hasScope(key, 'agents')) return []
  const listed = (await agents()?.list({ key })) ?? []
  return listed
    .filter(({ code }) => isListed(key.agents, code))
    .map(({ code, ...rest }) => ({ name: agentName(code), aliases: [], ...rest }))
}

/** Has an agent answer where the request names one; undefined where it names a model. Throws 403/4031 for a key that is not for it. */
export async function startAgent(
  request: NeutralRequest,
  ctx: Pick<RouteContext, 'header' | 'state' | 'signal'>,
  key: SurfaceKey,
  { agents }: Pick<SurfaceParts, 'agents'>,
): Promise<SurfaceRun | undefined> {
  const isAgent = isAgentName(request.model)
  const scope = isAgent ? 'agents' : 'chat'
  if (!hasScope(key, scope)) throw new KeyScopeError({ scope })
  if (!isAgent) return undefined
  const code = request.model.slice(prefix.length)
  if (!isListed(key.agents, code)) throw new ModelNotAllowedError({ model: request.model })
  const known = agents()
  if (!known) throw new AiModelNotFoundError()
  const { signal, state } = ctx
  const conversationId = conversationOf(request, ctx)
  const tags = tagsOf(key, request.metadata, ctx.header('x-ai-tags'))
  const caller = { key, conversationId, tags, signal, traceId: state.traceId, locale: state.locale }
  const { headers, events } = await known.start(code, request, caller)
  const about = { headers }
  if (request.stream) return { about, answer: undefined, stream: new IteratedStream(events) }
  const collector = new AnswerCollector()
  for await (const event of events) collector.push(event)
  return { about, answer: collector.answer, stream: undefined }
}

/** Steps that are iterated over, as a stream. */
class IteratedStream implements RelayStream {
  readonly #events: AsyncIterable<NeutralEvent>
  #wake: (() => void) | undefined

  constructor(events: AsyncIterable<NeutralEvent>) {
    this.#events = events
  }

  flow(sink: RelaySink): void {
    this.#pump(sink).then(
      () => sink.end(),
      (error: unknown) => sink.fail(error instanceof AppError ? error : new InternalError({ cause: error })),
    )
  }

  resume(): void {
    this.#wake?.()
  }

  async #pump(sink: RelaySink): Promise<void> {
    for await (const event of this.#events) {
      if (!sink.events([event])) await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
